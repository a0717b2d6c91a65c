# Written by scripts/python-stubs from the options of the methods: do not edit.
from typing import Literal, Union

from ._estimators import Estimator

__all__ = ["Mlp", "MlpDp", "Lap", "Lpgnet", "GapInf", "GapEdp", "GapNdp", "ProgapEdp", "ProgapNdp", "SageInf", "SageEdp", "SageNdp", "DiffusionEdp", "Oneshot", "Privgnn", "PateM", "PateG", "B1", "B2", "B3", "B4", "DpGpl", "DpGplW", "PromptDpsgd", "PromptInf", "PromptFt", "PromptEns", "PromptUb", "PromptLb", "GnnInf", "Dpgnn", "DparInf", "DparGm", "DparEm0", "DparEm1", "Auto"]

class Mlp(Estimator):
    """An MLP on the features; reads no edge."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., layers: int = ..., hidden_dim: int = ...,
        activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ..., dropout: float = ...,
        init_scale: float = ..., epochs: int = ..., batch_size: Union[int, Literal["full"]] = ...,
        learning_rate: float = ..., weight_decay: float = ..., preset: str = ...,
    ) -> None: ...

class MlpDp(Estimator):
    """An MLP on the features, trained by DP-SGD; reads no edge."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., layers: int = ..., hidden_dim: int = ...,
        activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ..., dropout: float = ...,
        init_scale: float = ..., epochs: int = ..., steps: Union[int, Literal["auto"]] = ...,
        batch_size: Union[int, Literal["full"]] = ..., learning_rate: float = ..., max_grad_norm: float = ...,
        optimizer: Literal["adam", "sgd"] = ..., momentum: float = ..., rate_over_noise: bool = ...,
        average_tail: bool = ..., feature_rows: Literal["unit", "as-is"] = ..., bias_input: float = ...,
        preset: str = ...,
    ) -> None: ...

class Lap(Estimator):
    """Label aggregation perturbation: noisy sums of neighbors' labels, then a linear softmax."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., layers: int = ..., hidden_dim: int = ...,
        activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ..., prior: float = ..., epochs: int = ...,
        steps: Union[int, Literal["auto"]] = ..., batch_size: Union[int, Literal["full"]] = ...,
        learning_rate: float = ..., max_grad_norm: float = ..., optimizer: Literal["adam", "sgd"] = ...,
        momentum: float = ..., rate_over_noise: bool = ..., average_tail: bool = ...,
        last_epochs: Union[int, Literal["auto"]] = ..., last_learning_rate: Union[float, Literal["auto"]] = ...,
        last_weight_decay: Union[float, Literal["auto"]] = ..., share: Union[float, Literal["auto"]] = ...,
        rounds: Union[int, Literal["auto"]] = ..., own_edges: Literal["auto", "none", "predict", "train"] = ...,
        own_weight: float = ..., row_clip: Union[float, Literal["auto"]] = ...,
        weight_decay: Union[float, Literal["auto"]] = ..., edge_noise: Literal["geometric", "gaussian"] = ...,
        mean_degree: Union[float, Literal["unknown"]] = ..., neighbors: Literal["auto", "alike", "differ"] = ...,
        buckets: int = ..., weights: Literal["sqrt-degree", "soft-cap", "drop"] = ..., max_degree: int = ...,
        feature_rows: Literal["unit", "as-is"] = ..., bias_input: float = ..., preset: str = ...,
    ) -> None: ...

class Lpgnet(Estimator):
    """LPGNet: stacked MLPs on noisy counts of neighbors in each cluster; pure epsilon."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., hops: int = ..., layers: int = ..., hidden_dim: int = ...,
        activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ..., dropout: float = ...,
        init_scale: float = ..., epochs: int = ..., batch_size: Union[int, Literal["full"]] = ...,
        learning_rate: float = ..., weight_decay: float = ..., last_epochs: Union[int, Literal["auto"]] = ...,
        last_learning_rate: Union[float, Literal["auto"]] = ..., last_weight_decay: Union[float, Literal["auto"]] = ...,
        preset: str = ...,
    ) -> None: ...

class GapInf(Estimator):
    """GAP without noise: the accuracy that noise costs."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., hops: int = ..., hidden_dim: int = ..., encoder_layers: int = ...,
        encoder_rows: Literal["embedding", "classes"] = ..., base_layers: int = ..., head_layers: int = ...,
        combine: Literal["concat", "cat", "sum", "max", "mean", "attention", "att"] = ...,
        activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ..., dropout: float = ...,
        batch_norm: bool = ..., epochs: int = ..., batch_size: Union[int, Literal["full"]] = ...,
        learning_rate: float = ..., weight_decay: float = ..., last_epochs: Union[int, Literal["auto"]] = ...,
        last_learning_rate: Union[float, Literal["auto"]] = ..., last_weight_decay: Union[float, Literal["auto"]] = ...,
        encoder_epochs: int = ..., preset: str = ...,
    ) -> None: ...

class GapEdp(Estimator):
    """GAP: encoder, noisy multi-hop aggregation, classifier."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., hops: int = ..., hidden_dim: int = ..., encoder_layers: int = ...,
        encoder_rows: Literal["embedding", "classes"] = ..., base_layers: int = ..., head_layers: int = ...,
        combine: Literal["concat", "cat", "sum", "max", "mean", "attention", "att"] = ...,
        activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ..., dropout: float = ...,
        batch_norm: bool = ..., epochs: int = ..., batch_size: Union[int, Literal["full"]] = ...,
        learning_rate: float = ..., weight_decay: float = ..., last_epochs: Union[int, Literal["auto"]] = ...,
        last_learning_rate: Union[float, Literal["auto"]] = ..., last_weight_decay: Union[float, Literal["auto"]] = ...,
        encoder_epochs: int = ..., preset: str = ...,
    ) -> None: ...

class GapNdp(Estimator):
    """GAP with DP-SGD: encoder, noisy multi-hop aggregation, classifier."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., hops: int = ..., hidden_dim: int = ..., encoder_layers: int = ...,
        encoder_rows: Literal["embedding", "classes"] = ..., base_layers: int = ..., head_layers: int = ...,
        combine: Literal["concat", "cat", "sum", "max", "mean", "attention", "att"] = ...,
        activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ..., dropout: float = ..., epochs: int = ...,
        steps: Union[int, Literal["auto"]] = ..., batch_size: Union[int, Literal["full"]] = ...,
        learning_rate: float = ..., max_grad_norm: float = ..., optimizer: Literal["adam", "sgd"] = ...,
        momentum: float = ..., rate_over_noise: bool = ..., average_tail: bool = ..., encoder_epochs: int = ...,
        encoder_steps: Union[int, Literal["auto"]] = ..., feature_rows: Literal["unit", "as-is"] = ...,
        bias_input: float = ..., weights: Literal["sqrt-degree", "soft-cap", "drop"] = ..., max_degree: int = ...,
        shares: Union[str, float] = ..., noise_split: Union[str, float] = ...,
        setting: Literal["transductive", "inductive"] = ..., preset: str = ...,
    ) -> None: ...

class ProgapEdp(Estimator):
    """ProGAP: stages of training on cached noisy aggregations."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., hops: int = ..., hidden_dim: int = ..., base_layers: int = ...,
        head_layers: int = ..., activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ...,
        epochs: int = ..., batch_size: Union[int, Literal["full"]] = ..., learning_rate: float = ...,
        weight_decay: float = ..., last_epochs: Union[int, Literal["auto"]] = ...,
        last_learning_rate: Union[float, Literal["auto"]] = ..., last_weight_decay: Union[float, Literal["auto"]] = ...,
        preset: str = ...,
    ) -> None: ...

class ProgapNdp(Estimator):
    """ProGAP with DP-SGD: stages of training on cached noisy aggregations."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., hops: int = ..., hidden_dim: int = ..., base_layers: int = ...,
        head_layers: int = ..., activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ...,
        epochs: int = ..., steps: Union[int, Literal["auto"]] = ..., batch_size: Union[int, Literal["full"]] = ...,
        learning_rate: float = ..., max_grad_norm: float = ..., optimizer: Literal["adam", "sgd"] = ...,
        momentum: float = ..., rate_over_noise: bool = ..., average_tail: bool = ...,
        feature_rows: Literal["unit", "as-is"] = ..., bias_input: float = ..., share: float = ..., preset: str = ...,
    ) -> None: ...

class SageInf(Estimator):
    """GraphSAGE without noise."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., layers: int = ..., pre_layers: int = ..., post_layers: int = ...,
        hidden_dim: int = ..., activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ...,
        unit_layers: bool = ..., epochs: int = ..., batch_size: Union[int, Literal["full"]] = ...,
        learning_rate: float = ..., weight_decay: float = ..., preset: str = ...,
    ) -> None: ...

class SageEdp(Estimator):
    """GraphSAGE on a graph perturbed by asymmetric randomized response."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., layers: int = ..., pre_layers: int = ..., post_layers: int = ...,
        hidden_dim: int = ..., activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ...,
        unit_layers: bool = ..., epochs: int = ..., batch_size: Union[int, Literal["full"]] = ...,
        learning_rate: float = ..., weight_decay: float = ..., preset: str = ...,
    ) -> None: ...

class SageNdp(Estimator):
    """One-layer GraphSAGE by DP-SGD, with one noisy aggregation for predictions."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., setting: Literal["transductive", "inductive"] = ...,
        pre_layers: int = ..., post_layers: int = ..., hidden_dim: int = ...,
        activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ..., unit_layers: bool = ...,
        epochs: int = ..., steps: Union[int, Literal["auto"]] = ..., batch_size: Union[int, Literal["full"]] = ...,
        learning_rate: float = ..., max_grad_norm: float = ..., optimizer: Literal["adam", "sgd"] = ...,
        momentum: float = ..., rate_over_noise: bool = ..., average_tail: bool = ..., max_degree: int = ...,
        aggregation_noise: Union[float, Literal["by-sensitivity"]] = ...,
        published_clip: Literal["rows", "samples"] = ..., preset: str = ...,
    ) -> None: ...

class DiffusionEdp(Estimator):
    """PageRank of whole classes: power iteration with noise in every step, then a linear softmax."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., hops: int = ..., own: float = ..., preset: str = ...,
    ) -> None: ...

class Oneshot(Estimator):
    """One noisy release of class sums teaches a GraphSAGE student on a public graph."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        private_nodes: Union[int, Literal["none"]] = ..., public_nodes: Union[int, Literal["none"]] = ...,
        public_test: Union[int, Literal["none"]] = ..., balanced: bool = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., embedding_dim: int = ..., map_ridge: float = ...,
        label_ridge: float = ..., noise_ridge: float = ..., relabel: Literal["all", "pool"] = ..., layers: int = ...,
        hidden_dim: int = ..., dropout: float = ..., epochs: int = ..., batch_size: Union[int, Literal["full"]] = ...,
        learning_rate: float = ..., weight_decay: float = ..., preset: str = ...,
    ) -> None: ...

class Privgnn(Estimator):
    """Teachers of private records label public nodes for a GraphSAGE student."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        private_nodes: Union[int, Literal["none"]] = ..., public_nodes: Union[int, Literal["none"]] = ...,
        public_test: Union[int, Literal["none"]] = ..., balanced: bool = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., queries: Union[int, Literal["pool"]] = ...,
        sampling_rate: Union[float, Literal["auto"]] = ..., nearest: Union[int, Literal["all"]] = ...,
        distance: Literal["euclidean", "cosine"] = ..., no_knn: bool = ..., single_teacher: bool = ...,
        noise: Literal["rr", "laplace", "gumbel", "gaussian"] = ...,
        noise_on: Literal["posterior", "log-posterior"] = ..., inverse_scale: Union[float, Literal["auto"]] = ...,
        sweep_noise: bool = ..., embedding_dim: int = ..., map_ridge: float = ...,
        teacher: Literal["ridge", "sage", "mlp"] = ..., teacher_ridge: float = ..., teacher_layers: int = ...,
        teacher_hidden_dim: int = ..., teacher_dropout: float = ..., teacher_norm: Literal["batch", "none"] = ...,
        teacher_epochs: int = ..., teacher_learning_rate: float = ..., student: Literal["denoise", "plain"] = ...,
        student_ridge: Union[float, Literal["auto"]] = ..., relabel: Literal["all", "pool"] = ...,
        pretrain_epochs: int = ..., layers: int = ..., hidden_dim: int = ..., dropout: float = ..., epochs: int = ...,
        batch_size: Union[int, Literal["full"]] = ..., learning_rate: float = ..., weight_decay: float = ...,
        preset: str = ...,
    ) -> None: ...

class PateM(Estimator):
    """Noisy votes of disjoint MLP teachers label public nodes for a student."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        private_nodes: Union[int, Literal["none"]] = ..., public_nodes: Union[int, Literal["none"]] = ...,
        public_test: Union[int, Literal["none"]] = ..., balanced: bool = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., teachers: Union[int, Literal["auto"]] = ...,
        queries: Union[int, Literal["pool"]] = ..., noise: Literal["auto", "gaussian", "discrete-laplace", "rr"] = ...,
        inverse_scale: Union[float, Literal["auto"]] = ..., targets: Literal["histogram", "argmax"] = ...,
        embedding_dim: int = ..., map_ridge: float = ..., teacher: Literal["ridge", "sage", "mlp"] = ...,
        teacher_ridge: float = ..., teacher_layers: int = ..., teacher_hidden_dim: int = ...,
        teacher_dropout: float = ..., teacher_norm: Literal["batch", "none"] = ..., teacher_epochs: int = ...,
        teacher_learning_rate: float = ..., student: Literal["denoise", "plain"] = ...,
        student_ridge: Union[float, Literal["auto"]] = ..., relabel: Literal["all", "pool"] = ...,
        pretrain_epochs: int = ..., layers: int = ..., hidden_dim: int = ..., dropout: float = ..., epochs: int = ...,
        batch_size: Union[int, Literal["full"]] = ..., learning_rate: float = ..., weight_decay: float = ...,
        preset: str = ...,
    ) -> None: ...

class PateG(Estimator):
    """Noisy votes of disjoint GraphSAGE teachers label public nodes for a student."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        private_nodes: Union[int, Literal["none"]] = ..., public_nodes: Union[int, Literal["none"]] = ...,
        public_test: Union[int, Literal["none"]] = ..., balanced: bool = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., teachers: Union[int, Literal["auto"]] = ...,
        queries: Union[int, Literal["pool"]] = ..., noise: Literal["auto", "gaussian", "discrete-laplace", "rr"] = ...,
        inverse_scale: Union[float, Literal["auto"]] = ..., targets: Literal["histogram", "argmax"] = ...,
        embedding_dim: int = ..., map_ridge: float = ..., teacher: Literal["ridge", "sage", "mlp"] = ...,
        teacher_ridge: float = ..., teacher_layers: int = ..., teacher_hidden_dim: int = ...,
        teacher_dropout: float = ..., teacher_norm: Literal["batch", "none"] = ..., teacher_epochs: int = ...,
        teacher_learning_rate: float = ..., student: Literal["denoise", "plain"] = ...,
        student_ridge: Union[float, Literal["auto"]] = ..., relabel: Literal["all", "pool"] = ...,
        pretrain_epochs: int = ..., layers: int = ..., hidden_dim: int = ..., dropout: float = ..., epochs: int = ...,
        batch_size: Union[int, Literal["full"]] = ..., learning_rate: float = ..., weight_decay: float = ...,
        preset: str = ...,
    ) -> None: ...

class B1(Estimator):
    """GraphSAGE trained on the private graph, without noise."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        private_nodes: Union[int, Literal["none"]] = ..., public_nodes: Union[int, Literal["none"]] = ...,
        public_test: Union[int, Literal["none"]] = ..., balanced: bool = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., layers: int = ..., hidden_dim: int = ..., dropout: float = ...,
        epochs: int = ..., batch_size: Union[int, Literal["full"]] = ..., learning_rate: float = ...,
        weight_decay: float = ..., preset: str = ...,
    ) -> None: ...

class B2(Estimator):
    """GraphSAGE trained on labels of the public pool, without noise."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        private_nodes: Union[int, Literal["none"]] = ..., public_nodes: Union[int, Literal["none"]] = ...,
        public_test: Union[int, Literal["none"]] = ..., balanced: bool = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., layers: int = ..., hidden_dim: int = ..., dropout: float = ...,
        epochs: int = ..., batch_size: Union[int, Literal["full"]] = ..., learning_rate: float = ...,
        weight_decay: float = ..., preset: str = ...,
    ) -> None: ...

class B3(Estimator):
    """GraphSAGE trained on both graphs, without noise."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        private_nodes: Union[int, Literal["none"]] = ..., public_nodes: Union[int, Literal["none"]] = ...,
        public_test: Union[int, Literal["none"]] = ..., balanced: bool = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., layers: int = ..., hidden_dim: int = ..., dropout: float = ...,
        epochs: int = ..., batch_size: Union[int, Literal["full"]] = ..., learning_rate: float = ...,
        weight_decay: float = ..., preset: str = ...,
    ) -> None: ...

class B4(Estimator):
    """A student of true labels of the public pool, with noise on each."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        private_nodes: Union[int, Literal["none"]] = ..., public_nodes: Union[int, Literal["none"]] = ...,
        public_test: Union[int, Literal["none"]] = ..., balanced: bool = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., noise: Literal["rr", "laplace"] = ..., log_odds: float = ...,
        inverse_scale: float = ..., queries: Union[int, Literal["pool"]] = ..., embedding_dim: int = ...,
        map_ridge: float = ..., student: Literal["denoise", "plain"] = ...,
        student_ridge: Union[float, Literal["auto"]] = ..., relabel: Literal["all", "pool"] = ...,
        pretrain_epochs: int = ..., layers: int = ..., hidden_dim: int = ..., dropout: float = ..., epochs: int = ...,
        batch_size: Union[int, Literal["full"]] = ..., learning_rate: float = ..., weight_decay: float = ...,
        preset: str = ...,
    ) -> None: ...

class DpGpl(Estimator):
    """Noisy votes of graph prompts tuned on disjoint records teach a student on a public graph."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        private_nodes: Union[int, Literal["none"]] = ..., public_nodes: Union[int, Literal["none"]] = ...,
        public_test: Union[int, Literal["none"]] = ..., balanced: bool = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., teachers: Union[int, Literal["auto"]] = ...,
        queries: Union[int, Literal["auto"]] = ..., shots: Union[int, Literal["all"]] = ...,
        shots_per: Literal["teacher", "class"] = ..., messages: Literal["parts", "whole", "auto"] = ...,
        noise: Literal["auto", "gaussian", "discrete-laplace", "rr"] = ...,
        targets: Literal["histogram", "argmax"] = ..., confident: bool = ..., threshold: float = ...,
        check_share: float = ..., answers: Union[int, Literal["queries"]] = ...,
        check_sigma: Union[float, Literal["auto"]] = ..., vote_sigma: Union[float, Literal["auto"]] = ...,
        teacher_limit: Union[float, Literal["none"]] = ..., student: Literal["ridge", "prompt"] = ...,
        relabel: bool = ..., student_ridge: Union[float, Literal["auto"]] = ...,
        prompt: Literal["gpf-plus", "all-in-one", "gppt"] = ..., tokens: Union[int, Literal["auto"]] = ...,
        epochs: int = ..., learning_rate: Union[float, Literal["auto"]] = ..., weight_decay: float = ...,
        answer: Literal["own", "shared"] = ..., backbone: Union[str, float] = ...,
        arch: Literal["gcn", "gat", "transformer"] = ..., task: Literal["dgi", "graphmae", "edge", "simgrace"] = ...,
        svd: int = ..., hidden_dim: int = ..., backbone_layers: int = ..., heads: int = ..., backbone_epochs: int = ...,
        backbone_learning_rate: float = ..., center: bool = ..., preset: str = ...,
    ) -> None: ...

class DpGplW(Estimator):
    """DP-GPL with votes weighted by the degree of a teacher's records."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        private_nodes: Union[int, Literal["none"]] = ..., public_nodes: Union[int, Literal["none"]] = ...,
        public_test: Union[int, Literal["none"]] = ..., balanced: bool = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., teachers: Union[int, Literal["auto"]] = ...,
        queries: Union[int, Literal["auto"]] = ..., shots: Union[int, Literal["all"]] = ...,
        shots_per: Literal["teacher", "class"] = ..., messages: Literal["parts", "whole", "auto"] = ...,
        targets: Literal["histogram", "argmax"] = ..., confident: bool = ..., threshold: float = ...,
        check_share: float = ..., answers: Union[int, Literal["queries"]] = ...,
        check_sigma: Union[float, Literal["auto"]] = ..., vote_sigma: Union[float, Literal["auto"]] = ...,
        teacher_limit: Union[float, Literal["none"]] = ..., degree_cuts: Union[str, float] = ...,
        weight_low: float = ..., weight_high: float = ..., student: Literal["ridge", "prompt"] = ...,
        relabel: bool = ..., student_ridge: Union[float, Literal["auto"]] = ...,
        prompt: Literal["gpf-plus", "all-in-one", "gppt"] = ..., tokens: Union[int, Literal["auto"]] = ...,
        epochs: int = ..., learning_rate: Union[float, Literal["auto"]] = ..., weight_decay: float = ...,
        answer: Literal["own", "shared"] = ..., backbone: Union[str, float] = ...,
        arch: Literal["gcn", "gat", "transformer"] = ..., task: Literal["dgi", "graphmae", "edge", "simgrace"] = ...,
        svd: int = ..., hidden_dim: int = ..., backbone_layers: int = ..., heads: int = ..., backbone_epochs: int = ...,
        backbone_learning_rate: float = ..., center: bool = ..., preset: str = ...,
    ) -> None: ...

class PromptDpsgd(Estimator):
    """A GPF-plus prompt of a frozen backbone, tuned by DP-SGD."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        private_nodes: Union[int, Literal["none"]] = ..., public_nodes: Union[int, Literal["none"]] = ...,
        public_test: Union[int, Literal["none"]] = ..., balanced: bool = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., tokens: int = ..., shots: Union[int, Literal["all"]] = ...,
        messages: Literal["parts", "whole", "auto"] = ..., epochs: int = ..., steps: Union[int, Literal["auto"]] = ...,
        batch_size: Union[int, Literal["full"]] = ..., learning_rate: float = ..., max_grad_norm: float = ...,
        optimizer: Literal["adam", "sgd"] = ..., momentum: float = ..., rate_over_noise: bool = ...,
        average_tail: bool = ..., backbone: Union[str, float] = ..., arch: Literal["gcn", "gat", "transformer"] = ...,
        task: Literal["dgi", "graphmae", "edge", "simgrace"] = ..., svd: int = ..., hidden_dim: int = ...,
        backbone_layers: int = ..., heads: int = ..., backbone_epochs: int = ..., backbone_learning_rate: float = ...,
        center: bool = ..., preset: str = ...,
    ) -> None: ...

class PromptInf(Estimator):
    """A graph prompt tuned on private records, without noise."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        private_nodes: Union[int, Literal["none"]] = ..., public_nodes: Union[int, Literal["none"]] = ...,
        public_test: Union[int, Literal["none"]] = ..., balanced: bool = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., shots: Union[int, Literal["all"]] = ...,
        messages: Literal["parts", "whole", "auto"] = ..., prompt: Literal["gpf-plus", "all-in-one", "gppt"] = ...,
        tokens: Union[int, Literal["auto"]] = ..., epochs: int = ...,
        learning_rate: Union[float, Literal["auto"]] = ..., weight_decay: float = ...,
        answer: Literal["own", "shared"] = ..., backbone: Union[str, float] = ...,
        arch: Literal["gcn", "gat", "transformer"] = ..., task: Literal["dgi", "graphmae", "edge", "simgrace"] = ...,
        svd: int = ..., hidden_dim: int = ..., backbone_layers: int = ..., heads: int = ..., backbone_epochs: int = ...,
        backbone_learning_rate: float = ..., center: bool = ..., preset: str = ...,
    ) -> None: ...

class PromptFt(Estimator):
    """A backbone fine-tuned on private records, without noise."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        private_nodes: Union[int, Literal["none"]] = ..., public_nodes: Union[int, Literal["none"]] = ...,
        public_test: Union[int, Literal["none"]] = ..., balanced: bool = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., shots: Union[int, Literal["all"]] = ..., body_rate: float = ...,
        messages: Literal["parts", "whole", "auto"] = ..., prompt: Literal["gpf-plus", "all-in-one", "gppt"] = ...,
        tokens: Union[int, Literal["auto"]] = ..., epochs: int = ...,
        learning_rate: Union[float, Literal["auto"]] = ..., weight_decay: float = ...,
        answer: Literal["own", "shared"] = ..., backbone: Union[str, float] = ...,
        arch: Literal["gcn", "gat", "transformer"] = ..., task: Literal["dgi", "graphmae", "edge", "simgrace"] = ...,
        svd: int = ..., hidden_dim: int = ..., backbone_layers: int = ..., heads: int = ..., backbone_epochs: int = ...,
        backbone_learning_rate: float = ..., center: bool = ..., preset: str = ...,
    ) -> None: ...

class PromptEns(Estimator):
    """Votes of prompts of disjoint records, without noise."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        private_nodes: Union[int, Literal["none"]] = ..., public_nodes: Union[int, Literal["none"]] = ...,
        public_test: Union[int, Literal["none"]] = ..., balanced: bool = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., teachers: int = ..., shots: Union[int, Literal["all"]] = ...,
        shots_per: Literal["teacher", "class"] = ..., messages: Literal["parts", "whole", "auto"] = ...,
        prompt: Literal["gpf-plus", "all-in-one", "gppt"] = ..., tokens: Union[int, Literal["auto"]] = ...,
        epochs: int = ..., learning_rate: Union[float, Literal["auto"]] = ..., weight_decay: float = ...,
        answer: Literal["own", "shared"] = ..., backbone: Union[str, float] = ...,
        arch: Literal["gcn", "gat", "transformer"] = ..., task: Literal["dgi", "graphmae", "edge", "simgrace"] = ...,
        svd: int = ..., hidden_dim: int = ..., backbone_layers: int = ..., heads: int = ..., backbone_epochs: int = ...,
        backbone_learning_rate: float = ..., center: bool = ..., preset: str = ...,
    ) -> None: ...

class PromptUb(Estimator):
    """The best of those prompts, told by labels of the public pool."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        private_nodes: Union[int, Literal["none"]] = ..., public_nodes: Union[int, Literal["none"]] = ...,
        public_test: Union[int, Literal["none"]] = ..., balanced: bool = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., teachers: int = ..., shots: Union[int, Literal["all"]] = ...,
        shots_per: Literal["teacher", "class"] = ..., messages: Literal["parts", "whole", "auto"] = ...,
        prompt: Literal["gpf-plus", "all-in-one", "gppt"] = ..., tokens: Union[int, Literal["auto"]] = ...,
        epochs: int = ..., learning_rate: Union[float, Literal["auto"]] = ..., weight_decay: float = ...,
        answer: Literal["own", "shared"] = ..., backbone: Union[str, float] = ...,
        arch: Literal["gcn", "gat", "transformer"] = ..., task: Literal["dgi", "graphmae", "edge", "simgrace"] = ...,
        svd: int = ..., hidden_dim: int = ..., backbone_layers: int = ..., heads: int = ..., backbone_epochs: int = ...,
        backbone_learning_rate: float = ..., center: bool = ..., preset: str = ...,
    ) -> None: ...

class PromptLb(Estimator):
    """A frozen backbone with an answer that nobody tuned."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        private_nodes: Union[int, Literal["none"]] = ..., public_nodes: Union[int, Literal["none"]] = ...,
        public_test: Union[int, Literal["none"]] = ..., balanced: bool = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., shots: Union[int, Literal["all"]] = ...,
        messages: Literal["parts", "whole", "auto"] = ..., prompt: Literal["gpf-plus", "all-in-one", "gppt"] = ...,
        tokens: Union[int, Literal["auto"]] = ..., epochs: int = ...,
        learning_rate: Union[float, Literal["auto"]] = ..., weight_decay: float = ...,
        answer: Literal["own", "shared"] = ..., backbone: Union[str, float] = ...,
        arch: Literal["gcn", "gat", "transformer"] = ..., task: Literal["dgi", "graphmae", "edge", "simgrace"] = ...,
        svd: int = ..., hidden_dim: int = ..., backbone_layers: int = ..., heads: int = ..., backbone_epochs: int = ...,
        backbone_learning_rate: float = ..., center: bool = ..., preset: str = ...,
    ) -> None: ...

class GnnInf(Estimator):
    """The GNN of dpgnn without noise: the accuracy that noise costs."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., arch: Literal["gcn", "gin", "gat"] = ..., layers: int = ...,
        encoder_layers: int = ..., decoder_layers: int = ..., hidden_dim: int = ..., heads: int = ...,
        own_share: Union[float, Literal["auto"]] = ...,
        activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ..., linear: bool = ...,
        steps: Union[int, Literal["auto"]] = ..., epochs: int = ..., batch_size: Union[int, Literal["full"]] = ...,
        learning_rate: float = ..., weight_decay: float = ..., max_degree: Union[int, Literal["all"]] = ...,
        inference_hops: Union[int, Literal["auto"]] = ..., inference_own: Union[float, Literal["auto"]] = ...,
        setting: Literal["transductive", "inductive"] = ..., feature_rows: Literal["unit", "as-is"] = ...,
        preset: str = ...,
    ) -> None: ...

class Dpgnn(Estimator):
    """A GNN by DP-SGD on rooted subgraphs; predictions read neighbors in the clear."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., arch: Literal["gcn", "gin", "gat"] = ..., layers: int = ...,
        encoder_layers: int = ..., decoder_layers: int = ..., hidden_dim: int = ..., heads: int = ...,
        own_share: Union[float, Literal["auto"]] = ...,
        activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ..., linear: bool = ..., epochs: int = ...,
        steps: Union[int, Literal["auto"]] = ..., batch_size: Union[int, Literal["full"]] = ...,
        learning_rate: float = ..., max_grad_norm: float = ..., optimizer: Literal["adam", "sgd"] = ...,
        momentum: float = ..., rate_over_noise: bool = ..., average_tail: bool = ...,
        max_degree: Union[int, Literal["auto"]] = ..., lambda_: Union[float, Literal["none"]] = ...,
        inference_hops: Union[int, Literal["auto"]] = ..., inference_own: Union[float, Literal["auto"]] = ...,
        setting: Literal["transductive", "inductive"] = ..., feature_rows: Literal["unit", "as-is"] = ...,
        preset: str = ...,
    ) -> None: ...

class DparInf(Estimator):
    """DPAR on exact PageRank without noise: the accuracy that noise costs."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., teleport: float = ..., sparsity: float = ...,
        tolerance: float = ..., sources: Union[int, Literal["all"]] = ..., picks: int = ...,
        row_limit: Union[float, Literal["auto"]] = ..., column_cap: int = ...,
        lists: Literal["pagerank", "random", "self"] = ..., list_weights: Literal["shares", "values"] = ...,
        train_on: Literal["all", "sources"] = ..., layers: int = ..., hidden_dim: int = ...,
        activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ..., dropout: float = ...,
        init_scale: float = ..., epochs: int = ..., batch_size: Union[int, Literal["full"]] = ...,
        learning_rate: float = ..., weight_decay: float = ..., feature_rows: Literal["unit", "as-is"] = ...,
        setting: Literal["transductive", "inductive"] = ..., inference_hops: int = ..., inference_own: float = ...,
        node_rate: float = ..., preset: str = ...,
    ) -> None: ...

class DparGm(Estimator):
    """DP-SGD on neighborhoods picked by private PageRank (Gaussian noise); predictions read neighbors in the clear."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., teleport: float = ..., sparsity: float = ...,
        tolerance: float = ..., sources: Union[int, Literal["all"]] = ..., picks: int = ...,
        row_limit: Union[float, Literal["auto"]] = ..., column_cap: int = ...,
        lists: Literal["pagerank", "random", "self"] = ..., list_weights: Literal["shares", "values"] = ...,
        train_on: Literal["all", "sources"] = ..., ppr_share: float = ..., layers: int = ..., hidden_dim: int = ...,
        activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ..., dropout: float = ...,
        init_scale: float = ..., epochs: int = ..., steps: Union[int, Literal["auto"]] = ...,
        batch_size: Union[int, Literal["full"]] = ..., learning_rate: float = ..., max_grad_norm: float = ...,
        optimizer: Literal["adam", "sgd"] = ..., momentum: float = ..., rate_over_noise: bool = ...,
        average_tail: bool = ..., feature_rows: Literal["unit", "as-is"] = ..., bias_input: float = ...,
        setting: Literal["transductive", "inductive"] = ..., inference_hops: int = ..., inference_own: float = ...,
        node_rate: float = ..., column_norm: float = ..., preset: str = ...,
    ) -> None: ...

class DparEm0(Estimator):
    """DP-SGD on neighborhoods picked by private PageRank (exponential mechanism); predictions read neighbors in the clear."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., teleport: float = ..., sparsity: float = ...,
        tolerance: float = ..., sources: Union[int, Literal["all"]] = ..., picks: int = ...,
        row_limit: Union[float, Literal["auto"]] = ..., column_cap: int = ...,
        lists: Literal["pagerank", "random", "self"] = ..., list_weights: Literal["shares", "values"] = ...,
        train_on: Literal["all", "sources"] = ..., ppr_share: float = ..., layers: int = ..., hidden_dim: int = ...,
        activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ..., dropout: float = ...,
        init_scale: float = ..., epochs: int = ..., steps: Union[int, Literal["auto"]] = ...,
        batch_size: Union[int, Literal["full"]] = ..., learning_rate: float = ..., max_grad_norm: float = ...,
        optimizer: Literal["adam", "sgd"] = ..., momentum: float = ..., rate_over_noise: bool = ...,
        average_tail: bool = ..., feature_rows: Literal["unit", "as-is"] = ..., bias_input: float = ...,
        setting: Literal["transductive", "inductive"] = ..., inference_hops: int = ..., inference_own: float = ...,
        node_rate: float = ..., column_norm: float = ..., preset: str = ...,
    ) -> None: ...

class DparEm1(Estimator):
    """DP-SGD on neighborhoods picked by private PageRank (exponential mechanism, noisy values); predictions read neighbors in the clear."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., teleport: float = ..., sparsity: float = ...,
        tolerance: float = ..., sources: Union[int, Literal["all"]] = ..., picks: int = ...,
        row_limit: Union[float, Literal["auto"]] = ..., column_cap: int = ...,
        lists: Literal["pagerank", "random", "self"] = ..., list_weights: Literal["shares", "values"] = ...,
        train_on: Literal["all", "sources"] = ..., values_share: float = ..., ppr_share: float = ..., layers: int = ...,
        hidden_dim: int = ..., activation: Literal["selu", "relu", "elu", "leaky-relu", "tanh"] = ...,
        dropout: float = ..., init_scale: float = ..., epochs: int = ..., steps: Union[int, Literal["auto"]] = ...,
        batch_size: Union[int, Literal["full"]] = ..., learning_rate: float = ..., max_grad_norm: float = ...,
        optimizer: Literal["adam", "sgd"] = ..., momentum: float = ..., rate_over_noise: bool = ...,
        average_tail: bool = ..., feature_rows: Literal["unit", "as-is"] = ..., bias_input: float = ...,
        setting: Literal["transductive", "inductive"] = ..., inference_hops: int = ..., inference_own: float = ...,
        node_rate: float = ..., column_norm: float = ..., preset: str = ...,
    ) -> None: ...

class Auto(Estimator):
    """Method and settings chosen from public facts alone."""
    def __init__(
        self, *, epsilon: float = ..., noise_multiplier: Union[float, Literal["auto"]] = ...,
        delta: Union[float, Literal["auto"]] = ...,
        relation: Literal["auto", "edge", "undirected-edge", "node", "record"] = ..., protect_degree: int = ...,
        entity_size: Union[int, Literal["none"]] = ..., accounting: Literal["tight", "published"] = ...,
        propagate: int = ..., alpha: float = ..., propagate_on: Literal["logits", "probabilities"] = ...,
        split: Union[str, float] = ..., public_labels: Literal["none", "val"] = ...,
        metric: Literal["auto", "accuracy", "f1", "balanced", "roc-auc", "auc"] = ...,
        class_weights: Union[str, float] = ..., predictions: Union[int, Literal["none"]] = ...,
        tune: Union[int, Literal["none"]] = ..., tune_over: Union[str, float] = ..., repeats: int = ...,
        seed: Union[int, Literal["random"]] = ..., data_name: Union[str, float] = ...,
        controller: Union[str, float] = ..., purpose: Union[str, float] = ...,
        people: Union[int, Literal["unknown"]] = ..., coverage: Literal["predictions", "parameters"] = ...,
        mean_degree: Union[float, Literal["unknown"]] = ..., preset: str = ...,
    ) -> None: ...
