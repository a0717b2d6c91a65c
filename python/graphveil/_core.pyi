# The extension module. Its functions take what the modules around it have checked; tests/python compares the names.
from typing import Any, Callable, Optional, Sequence

version: str

_Progress = Optional[Callable[[str, int, int, float, bool], None]]
_Options = Sequence[tuple[str, str]]

class GraphHandle:
    @staticmethod
    def from_edges(
        nodes: int,
        sources: Any,
        targets: Any,
        directed: bool,
        features: Any,
        labels: Any,
        classes: Optional[int],
        name: str,
    ) -> GraphHandle: ...
    @staticmethod
    def from_rows(
        offsets: Any, targets: Any, features: Any, labels: Any, classes: Optional[int], name: str
    ) -> GraphHandle: ...
    @staticmethod
    def read(path: str, target: str, threads: int, progress: _Progress) -> GraphHandle: ...
    @staticmethod
    def generate(preset: str, nodes: Optional[int], seed: int) -> GraphHandle: ...
    def write(self, path: str) -> None: ...
    def with_names(self, ids: Sequence[str], classes: Sequence[str], features: Sequence[str]) -> GraphHandle: ...
    def with_split(self, train: Any, val: Any, test: Any) -> GraphHandle: ...
    name: str
    nodes: int
    edges: int
    classes: int
    feature_columns: int
    sparse: bool
    symmetric: bool
    labels: Any
    offsets: Any
    targets: Any
    features: Any
    split: Any
    ids: list[str]
    class_names: list[str]
    feature_names: list[str]
    schema: str
    found_in_data: list[str]

class PlanLine: ...

class Release:
    def class_sums(self, label: str, rows: Any, labels: Any) -> Any: ...
    def neighbor_sum(self, label: str, rows: Any, max_row_norm: float = ...) -> Any: ...
    def votes(self, label: str, votes: Any) -> Any: ...
    def gradient(self, label: str, rows: Any, max_grad_norm: float = ...) -> Any: ...
    def expected_batch(self, label: str) -> float: ...
    def steps(self, label: str) -> int: ...
    def noise_stddev(self, label: str) -> float: ...

def cpu_level() -> str: ...
def methods() -> str: ...
def method(name: str) -> str: ...
def train(
    method: str,
    preset: str,
    options: _Options,
    quick: bool,
    data: GraphHandle,
    public_data: Optional[GraphHandle],
    out: str,
    signing_key: str,
    book: str,
    threads: int,
    progress: _Progress,
) -> str: ...
def predict(
    folder: str,
    data: GraphHandle,
    total_epsilon: Optional[float],
    disjoint: bool,
    book: str,
    threads: int,
    progress: _Progress,
) -> tuple[str, str, Any]: ...
def stored_predictions(folder: str) -> tuple[str, str, Any]: ...
def find_book(path: str) -> Optional[str]: ...
def command(arguments: Sequence[str], threads: int, progress: _Progress) -> tuple[int, str]: ...
def import_arrow(
    nodes: Any, edges: Callable[[], Any], schema: str, name: str, threads: int, progress: _Progress
) -> tuple[GraphHandle, list[str]]: ...
def line_class_sums(label: str, noise: float, classes: int) -> PlanLine: ...
def line_neighbor_sum(
    label: str, noise: float, relation: str, protect_degree: int, max_row_norm: float
) -> PlanLine: ...
def line_votes(label: str, noise: float, queries: int) -> PlanLine: ...
def line_steps(
    label: str, noise: float, train_nodes: int, steps: int, batch_size: Optional[int], max_grad_norm: float
) -> PlanLine: ...
def register_method(name: str, type: type) -> None: ...
def neighbor_findings(name: str, options: _Options, relation: str, noise: float, graphs: int) -> list[str]: ...
