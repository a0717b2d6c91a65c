"""What people give for a graph's arrays, checked and in the types that the library takes."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

import numpy as np

from ._errors import InvalidArgument

Classes = Union[int, Sequence[str], None]


def numbers(values: Any, what: str, dtype: Any) -> Any:
    """A C-contiguous array of this type, without a copy where it is one already. Nothing is cut off or wrapped."""
    array = np.asarray(values)
    wanted = np.dtype(dtype)
    if array.dtype == wanted and array.flags.c_contiguous:
        return array
    if wanted.kind == "i":
        if array.dtype.kind not in "iub":
            if array.dtype.kind == "f" and array.size and not np.array_equal(array, np.trunc(array)):
                raise InvalidArgument(f"{what} has numbers that are not whole")
            if array.dtype.kind not in "f" and array.size:
                raise InvalidArgument(f"{what} is of type {array.dtype}, want whole numbers")
        info = np.iinfo(wanted)
        if array.size and (array.min() < info.min or array.max() > info.max):
            raise InvalidArgument(f"{what} has {array.min()} to {array.max()}, want {info.min} to {info.max}")
    elif array.dtype.kind not in "fiub":
        raise InvalidArgument(f"{what} is of type {array.dtype}, want numbers")
    return np.ascontiguousarray(array, dtype=wanted)


def label_numbers(values: Any, classes: Classes = None) -> Any:
    """Whole numbers; -1, NaN or None is no label. With names of classes: their numbers."""
    if values is None:
        return None
    array = np.asarray(values)
    if array.dtype == object or array.dtype.kind == "U":
        listed = [None if v is None or v != v else v for v in array.reshape(-1).tolist()]
        if any(isinstance(v, str) for v in listed):
            return _numbers_of_names(listed, classes)
        array = np.array([-1 if v is None else v for v in listed])
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise InvalidArgument(f"labels have {array.ndim} dimensions, want 1")
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), -1, array)
    return numbers(array, "labels", np.int64)


def _numbers_of_names(labels: Sequence[Any], classes: Classes) -> Any:
    if classes is None or isinstance(classes, int):
        raise InvalidArgument("labels are text: name the classes, which are public, by classes=[...]")
    numbers = {name: k for k, name in enumerate(classes)}
    unknown = next((v for v in labels if v is not None and v not in numbers), None)
    if unknown is not None:
        raise InvalidArgument(f"a label is {unknown!r}, want one of classes, or None: {', '.join(map(str, classes))}")
    return np.array([-1 if v is None else numbers[v] for v in labels], np.int64)


def how_many(classes: Classes) -> Optional[int]:
    return classes if classes is None or isinstance(classes, int) else len(classes)


def feature_rows(values: Any, nodes: int) -> Any:
    """A dense float32 table, or (offsets, columns, values, width) of a sparse one."""
    if values is None:
        return np.zeros((nodes, 1), np.float32)
    if hasattr(values, "tocsr"):
        rows = values.tocsr()
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
        return (
            numbers(rows.indptr, "features", np.int64),
            numbers(rows.indices, "features", np.int32),
            numbers(rows.data, "features", np.float32),
            int(rows.shape[1]),
        )
    table = np.asarray(values)
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2:
        raise InvalidArgument(f"features have {table.ndim} dimensions, want 2")
    return numbers(table, "features", np.float32)


def places(mask: Any, nodes: int, what: str) -> Any:
    """Node numbers from a mask or from node numbers."""
    if mask is None:
        return np.zeros(0, np.int64)
    if hasattr(mask, "detach"):
        mask = mask.detach().cpu().numpy()
    array = np.asarray(mask)
    if array.dtype == bool:
        if array.shape != (nodes,):
            raise InvalidArgument(f"{what} is a mask of shape {array.shape}, want ({nodes},)")
        return np.flatnonzero(array).astype(np.int64)
    return numbers(array.reshape(-1), what, np.int64)
