"""Certificates as documents: what a run claims, for whom."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Optional, Union

from ._cards import certificate_card
from ._errors import BadInput, FileError


class Certificate(Mapping[str, Any]):
    """The document of a run folder: its fields by name, and the ones most asked for as attributes."""

    def __init__(self, document: dict[str, Any], path: str = "") -> None:
        self._document = document
        self.path = path

    @classmethod
    def read(cls, path: Union[str, "os.PathLike[str]"]) -> "Certificate":
        """Of a run folder, of its release/ or draft/, or a certificate.json. Nothing is checked: verify() does that."""
        text = os.fspath(path)
        for place in ("", "certificate.json", "release/certificate.json", "draft/certificate.json"):
            file = os.path.join(text, place) if place else text
            if not os.path.isfile(file):
                continue
            with open(file, encoding="utf-8") as opened:
                try:
                    document = json.load(opened)
                except ValueError as error:
                    raise BadInput(f"{file}: not a certificate: {error}") from None
            if not isinstance(document, dict) or not str(document.get("format", "")).startswith("graphveil-certificate"):
                raise BadInput(f"{file}: not a certificate: its format is {document.get('format')!r}")
            return cls(document, file)
        raise FileError(f"{text}: there is no run folder and no certificate here")

    def __getitem__(self, name: str) -> Any:
        return self._document[name]

    def __iter__(self) -> Any:
        return iter(self._document)

    def __len__(self) -> int:
        return len(self._document)

    @property
    def method(self) -> str:
        return str(self._document["method"])

    @property
    def relation(self) -> str:
        return str(self._document["relation"])

    @property
    def epsilon(self) -> Optional[float]:
        """None: no finite epsilon holds, or nothing is promised."""
        found: Optional[float] = self._document["epsilon"]
        return found

    @property
    def delta(self) -> float:
        return float(self._document["delta"])

    @property
    def valid(self) -> bool:
        return bool(self._document["valid"])

    @property
    def releasable(self) -> bool:
        return bool(self._document["releasable"])

    @property
    def ledger(self) -> list[dict[str, Any]]:
        """The events that were spent, as `graphveil account` reads them."""
        return list(self._document["events"])

    @property
    def options(self) -> dict[str, str]:
        return {line["name"]: line["value"] for line in self._document["config"]}

    def __repr__(self) -> str:
        epsilon = "none" if self.epsilon is None else f"{self.epsilon:.4g}"
        word = "releasable" if self.releasable else "not releasable"
        return f"Certificate({self.method}, epsilon {epsilon} at delta {self.delta:.3g}, relation {self.relation}, {word})"

    def __str__(self) -> str:
        page = os.path.join(os.path.dirname(self.path), "certificate.md")
        if os.path.isfile(page):
            with open(page, encoding="utf-8") as file:
                return file.read()
        return repr(self)

    def _repr_html_(self) -> str:
        return certificate_card(self)


__all__ = ["Certificate"]
