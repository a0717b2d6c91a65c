"""Options of the library as parameters: their defaults as Python values, and values as the text that an option takes."""

from __future__ import annotations

import keyword
import re
from typing import Any

import numpy as np


class Default:
    """A value that nobody chose: it stands in the signature, and the method's own one is used."""


class _Float(Default, float):
    pass


class _Int(Default, int):
    pass


class _Str(Default, str):
    pass


class _Bool(Default, int):
    def __repr__(self) -> str:
        return str(bool(self))

    __str__ = __repr__


def parsed(option: dict[str, Any]) -> Any:
    """The default of an option as the Python value it stands for."""
    text = option["default"]
    if not option["quoted"]:
        if text in ("true", "false"):
            return _Bool(text == "true")
        if re.fullmatch(r"[+-]?\d+", text):
            return _Int(text) if "integer" in option["values"] else _Float(text)
        try:
            return _Float(text)
        except ValueError:
            pass
    return _Str(text)


def text_of(value: Any) -> str:
    """A value as the text that an option takes."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    return str(value)


def python_name(option: str) -> str:
    name = option.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def class_name(method: str) -> str:
    return "".join(part.capitalize() for part in method.split("-"))


def typed(text: Any, like: Any) -> Any:
    """The value of a certificate's option, in the type of the parameter's default."""
    if not isinstance(text, str):
        return text
    if isinstance(like, _Bool):
        return text == "true"
    for kind in (int, float):
        if isinstance(like, kind):
            try:
                return kind(text)
            except ValueError:
                continue
    return text
