"""Records and arrays that read as Python ints, for rules that run uncompiled and for people's own bots.

NumPy's small ints go wrong in silence (`1 << np.int8(9)` is 0); a store that does not fit its field raises here, where
compiled code truncates.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class Cells:
    """An array that reads as Python ints."""

    __slots__ = ("_array",)

    def __init__(self, array: Any) -> None:
        self._array = array

    def __getitem__(self, index: Any) -> Any:
        value = self._array[index]
        if isinstance(value, np.ndarray):
            return Cells(value)
        return value.item() if isinstance(value, np.generic) else value

    def __setitem__(self, index: Any, value: Any) -> None:
        self._array[index] = value

    def __len__(self) -> int:
        return len(self._array)

    @property
    def shape(self) -> tuple[int, ...]:
        return self._array.shape


class Plain:
    """A record that reads as Python ints, over element `index` of a structured array; a store that does not fit raises."""

    __slots__ = ("_cells", "_fields")

    def __init__(self, array: Any, index: int) -> None:
        fields = {name: array[name][index, ...] for name in array.dtype.names}
        object.__setattr__(self, "_fields", fields)
        object.__setattr__(self, "_cells", {name: Cells(f) for name, f in fields.items() if f.ndim})

    def __getattr__(self, name: str) -> Any:
        cells = self._cells.get(name)
        return self._fields[name].item() if cells is None else cells

    def __setattr__(self, name: str, value: Any) -> None:
        self._fields[name][...] = value


class PlainArray:
    """A structured array whose elements read as `Plain`."""

    __slots__ = ("_array", "_records")

    def __init__(self, array: Any) -> None:
        self._array = array
        self._records: dict[int, Plain] = {}

    def __getitem__(self, index: int) -> Plain:
        index = int(index)
        if index not in self._records:
            self._records[index] = Plain(self._array, index)
        return self._records[index]

    def __len__(self) -> int:
        return len(self._array)
