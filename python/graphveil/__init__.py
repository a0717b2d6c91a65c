"""graphveil: graph neural networks with a differential-privacy guarantee that really holds.

    import graphveil as gv
    model = gv.Lap(epsilon=4).fit(gv.Graph.load("cora.npz"))
    print(model.certificate_)

docs/python.md has the rest.
"""

from . import _core, method, plots, testing
from ._audience import Audience, Holder, HolderFloat, Owner, Public
from ._certificate import Certificate
from ._commands import (
    Answer,
    Budget,
    Comparison,
    account,
    advise,
    attack,
    audit,
    budget,
    calibrate,
    command,
    compare,
    report,
    verify,
)
from ._errors import (
    BadInput,
    BudgetExceeded,
    Cancelled,
    Error,
    FileError,
    InternalError,
    InvalidArgument,
    NotConverged,
    NotFitted,
    Unsupported,
)
from ._estimators import Estimator, PrivacyWarning, estimator, load, methods
from ._events import from_dp_event, ledger_of, to_dp_event
from ._graph import Graph
from .estimators import *  # noqa: F403
from .estimators import __all__ as _estimator_names
from .method import Method
from .plots import plot_accuracy_vs_epsilon, plot_budget, plot_roc

__version__ = _core.version

__all__ = [
    "Answer",
    "Audience",
    "BadInput",
    "Budget",
    "BudgetExceeded",
    "Cancelled",
    "Certificate",
    "Comparison",
    "Error",
    "Estimator",
    "FileError",
    "Graph",
    "Holder",
    "HolderFloat",
    "InternalError",
    "InvalidArgument",
    "Method",
    "NotConverged",
    "NotFitted",
    "Owner",
    "PrivacyWarning",
    "Public",
    "Unsupported",
    "account",
    "advise",
    "attack",
    "audit",
    "budget",
    "calibrate",
    "command",
    "compare",
    "estimator",
    "from_dp_event",
    "ledger_of",
    "load",
    "method",
    "methods",
    "plot_accuracy_vs_epsilon",
    "plot_budget",
    "plot_roc",
    "plots",
    "report",
    "testing",
    "to_dp_event",
    "verify",
]
__all__ += _estimator_names
