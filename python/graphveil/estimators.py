"""The estimator classes, made from the methods' own options. estimators.pyi, which scripts/python-stubs writes, has their
types."""

from ._estimators import _classes

globals().update({kind.__name__: kind for kind in _classes.values()})

__all__ = [kind.__name__ for kind in _classes.values()]
