"""How far long work is: a bar by tqdm where it is installed, else a line on standard error."""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional, Union

Listener = Callable[[str, int, int, float, bool], None]
Progress = Union[bool, Listener, None]

_SILENT_SECONDS = 2.0
_UNKNOWN = 1 << 40  # a total of so much stands for one that nobody knows


class _Bars:
    """A bar for each task that takes longer than two seconds."""

    def __init__(self) -> None:
        self._bars: dict[str, Any] = {}
        self._make: Any = None
        try:
            from tqdm.auto import tqdm

            self._make = tqdm
        except ImportError:
            pass
        self._told: dict[str, float] = {}

    def __call__(self, task: str, done: int, total: int, seconds: float, finished: bool) -> None:
        if finished:
            bar = self._bars.pop(task, None)
            if bar is not None:
                bar.update(done - bar.n)
                bar.close()
            self._told.pop(task, None)
            return
        if seconds < _SILENT_SECONDS:
            return
        if self._make is None:
            if seconds - self._told.get(task, 0.0) >= 5.0:
                self._told[task] = seconds
                left = f" of {total}, {seconds * (total - done) / max(done, 1):.0f} s left" if total < _UNKNOWN else ""
                print(f"{task}: {done}{left}", file=sys.stderr)
            return
        bar = self._bars.get(task)
        if bar is None:
            bar = self._bars[task] = self._make(total=total if total < _UNKNOWN else None, desc=task, leave=False)
        bar.update(done - bar.n)


def listener(progress: Progress) -> Optional[Listener]:
    """True or None: bars; False: nobody; else a function (task, done, total, seconds, finished)."""
    if progress is False:
        return None
    if callable(progress):
        return progress
    return _Bars()
