"""Whose a value is, as its type: everybody's, an owner's row by row, or the holder's alone."""

from __future__ import annotations

from typing import Any, Generic, Iterator, TypeVar

T = TypeVar("T")

_WORDS = {
    "public": "may be published",
    "owner": "each row is for its own node alone",
    "holder": "for the data holder; it never leaves",
}


def _shape(value: Any) -> str:
    shape = getattr(value, "shape", None)
    if shape is not None:
        return " x ".join(str(n) for n in shape)
    return type(value).__name__


class Audience(Generic[T]):
    """A value with the people who may see it. `value` gives it; printing it shows whose it is and not what it is.

    NumPy functions take it as it is: numpy.asarray(x) is numpy.asarray(x.value).
    """

    audience: str = "holder"

    def __init__(self, value: T, what: str = "") -> None:
        self._value = value
        self._what = what

    @property
    def value(self) -> T:
        return self._value

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        import numpy

        return numpy.array(self._value, dtype=dtype) if copy else numpy.asarray(self._value, dtype=dtype)

    def __len__(self) -> int:
        return len(self._value)  # type: ignore[arg-type]

    def __getitem__(self, index: Any) -> Any:
        return self._value[index]  # type: ignore[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._value)  # type: ignore[call-overload,no-any-return]

    def __eq__(self, other: object) -> Any:
        """As the value compares: element by element where it is an array."""
        return self._value == (other._value if isinstance(other, Audience) else other)

    def __ne__(self, other: object) -> Any:
        return self._value != (other._value if isinstance(other, Audience) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        what = f"{self._what}, " if self._what else ""
        return f"{type(self).__name__}({what}{_shape(self._value)}: {_WORDS[self.audience]}; .value gives it)"


class Public(Audience[T]):
    """A value that may be published."""

    audience = "public"

    def __repr__(self) -> str:
        return f"Public({self._value!r})"


class Owner(Audience[T]):
    """Row v is for node v, or for somebody who holds v's record, and for nobody else."""

    audience = "owner"

    @property
    def rows(self) -> T:
        return self._value


class Holder(Audience[T]):
    """A value for the data holder, which never leaves."""

    audience = "holder"


class HolderFloat(float):
    """A number for the data holder: read off private records without noise. It counts like any float."""

    audience = "holder"
    __slots__ = ()

    def __repr__(self) -> str:
        return f"{float(self):.4f} (holder's: read off private labels, not covered by any epsilon)"

    __str__ = __repr__


def wrapped(audience: str, value: T, what: str = "") -> Audience[T]:
    kinds: dict[str, type[Audience[T]]] = {"public": Public, "owner": Owner, "holder": Holder}
    return kinds[audience](value, what)
