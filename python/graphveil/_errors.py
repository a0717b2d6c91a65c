"""What can go wrong, each as an exception of its own kind."""


class Error(Exception):
    """Whatever graphveil refuses. The message names the value seen and the range wanted."""


class InvalidArgument(Error, ValueError):
    """An argument or an option is out of range, or two do not go together."""


class BadInput(Error, ValueError):
    """A file, or a record in it, is wrong."""


class Unsupported(Error, NotImplementedError):
    """A combination for which there is no proof or no code."""


class BudgetExceeded(Error):
    """It would cost more privacy than is left. Nothing was drawn."""


class NotConverged(Error, ArithmeticError):
    """A search ended without an answer."""


class FileError(Error, OSError):
    """The operating system refused."""


class Cancelled(Error):
    """Whoever watched the progress asked to stop. Nothing half-written is left."""


class InternalError(Error, RuntimeError):
    """A mistake of graphveil itself."""


class NotFitted(Error, ValueError, AttributeError):
    """An estimator was asked for what only fit() makes."""
