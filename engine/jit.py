"""The one place where rules meet the compiler.

`rule` compiles a function of the game with Numba and caches it on disk; `address` makes a function callable from the
compiled core by number. With `NUMBA_DISABLE_JIT=1` both leave plain Python functions, and `plain` wraps arrays so that
the same functions read them as Python ints: for coverage, tracing and as a second opinion.

Numba's own cache sees a change only in a function's own file. Here the cache folder is named by a hash of every source
that a function can reach (its floor and the floors below), the versions and the NUMBA_ settings, so that a stale rule
cannot run. The names used from `numba.core` are semi-private: they stay in this file.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from engine.plain import Cells, Plain, PlainArray

JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")

_ROOT = Path(__file__).resolve().parent.parent
_FLOORS = ("engine", "conventions", "bots")
_KEPT_CACHES = 16  # folders of older sources that stay beside the current one


def _floors_under(path: Path) -> tuple[str, ...]:
    for depth, floor in enumerate(_FLOORS):
        if path.is_relative_to(_ROOT / floor):
            return _FLOORS[: depth + 1]
    return _FLOORS


def _digest(floor: str) -> str:
    """The hash of a floor's sources as they are now."""
    digest = hashlib.sha256()
    for source in sorted((_ROOT / floor).rglob("*.py")):
        digest.update(source.as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


_read_at_start = functools.cache(_digest)
for _floor in _FLOORS:  # before they are imported: an edit while a process runs must not name what it compiled from the older text
    _read_at_start(_floor)


def stamp_now(file: str, digest: Callable[[str], str] = _digest) -> str:
    """The hash of all that compiled functions of `file` depend on: versions, NUMBA_ settings, every source they can reach."""
    from importlib.metadata import version

    path = Path(file).resolve()
    told = [f"{package} {version(package)}" for package in ("numba", "llvmlite", "numpy")] + [sys.version]
    told += [f"{name}={os.environ[name]}" for name in sorted(os.environ) if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR"]
    floors = _floors_under(path)
    told += [digest(floor) for floor in floors]
    if not any(path.is_relative_to(_ROOT / floor) for floor in floors) and path.exists():
        told += [path.as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()]  # a person's own bot
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:20]


@functools.cache
def source_stamp(file: str) -> str:
    """The hash that names the cache folder of the compiled functions of `file`, with the sources as they were at the start."""
    return stamp_now(file, _read_at_start)


def cache_root() -> Path:
    """Where compiled code is kept: NUMBA_CACHE_DIR, else the user's cache folder."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen) / "preferans"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "preferans"


@functools.cache
def _cache_folder(stamp: str) -> Path | None:
    """The folder for this stamp, made if need be; None where nothing can be written (then nothing is cached)."""
    folder = cache_root() / stamp
    try:
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
            others = sorted((p for p in folder.parent.iterdir() if p != folder), key=lambda p: p.stat().st_mtime, reverse=True)
            for old in others[_KEPT_CACHES:]:
                shutil.rmtree(old, ignore_errors=True)
        os.utime(folder)
        return folder if os.access(folder, os.W_OK) else None
    except OSError:
        return None


if JIT:
    from llvmlite import ir
    from numba import from_dtype, njit, types
    from numba.core import cgutils
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator
    from numba.core.ccallback import CFunc
    from numba.extending import intrinsic, overload

    class _Locator(_CacheLocator):
        def __init__(self, folder: Path, line: int, file: str, source: str) -> None:
            self._folder, self._line, self._py_file, self._source = folder, line, file, source

        def get_cache_path(self) -> str:
            return str(self._folder)

        def get_source_stamp(self) -> str:
            return self._folder.name

        def is_current(self) -> bool:
            """Whether the sources still are what they were when this process began."""
            return stamp_now(self._source) == self._folder.name

        def get_disambiguator(self) -> str:
            return f"{self._line}-{hashlib.sha256(self._py_file.encode()).hexdigest()[:8]}"

        @classmethod
        def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Locator | None:
            file = inspect.getfile(getattr(py_func, "bot", py_func))
            folder = _cache_folder(source_stamp(file))
            return None if folder is None else cls(folder, py_func.__code__.co_firstlineno, py_file, file)

    class _Impl(CompileResultCacheImpl):
        _locator_classes = (_Locator,)

    class _Files(IndexDataCacheFile):
        """Compiled code in files named by what they hold: processes that compile at once may lose each other's entry in the index,
        but never put one's code under the other's name, as files numbered in turn would."""

        def save(self, key: Any, data: Any) -> None:
            name = self._data_name_pattern.format(number=int(hashlib.sha256(repr(key).encode()).hexdigest()[:12], 16))
            self._save_data(name, data)
            index = self._load_index()
            index[key] = name
            self._save_index(index)

    class _Cache(FunctionCache):
        _impl_class = _Impl

        def __init__(self, py_func: Callable[..., Any]) -> None:
            super().__init__(py_func)
            self._cache_file = _Files(self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp())

        def _save_overload(self, sig: Any, data: Any) -> None:
            if self._impl.locator.is_current():
                with contextlib.suppress(OSError):  # a full disk costs the next process its time, nothing else
                    super()._save_overload(sig, data)

        def _index_key(self, sig: Any, codegen: Any) -> Any:
            bot = getattr(self._py_func, "bot", None)
            if bot is None:
                return super()._index_key(sig, codegen)
            # a shim closes over a compiled function, which has no stable bytes: its name and code tell them apart
            code = hashlib.sha256(bot.__code__.co_code + repr(bot.__code__.co_consts).encode()).hexdigest()
            return sig, codegen.magic_tuple(), (inspect.getfile(bot), bot.__qualname__, code)

    class _VariantCache(_Cache):
        def _index_key(self, sig: Any, codegen: Any) -> Any:
            # what a variant closes over (its constants, its siblings, itself) has no stable bytes; the stamp and the name tell it all
            return sig, codegen.magic_tuple(), self._py_func.__qualname__

    def _cache_of(function: Callable[..., Any], kind: type[_Cache] = _Cache) -> _Cache | None:
        try:
            return kind(function)
        except (RuntimeError, OSError):
            return None

    def rule(function: Callable[..., Any], inlined: bool = False) -> Any:
        """Compile `function` on its first call, GIL released, cached under the stamp of all the sources it can reach."""
        compiled = njit(nogil=True, forceinline=inlined)(function)
        cache = _cache_of(function)
        if cache is not None:
            compiled._cache = cache
        return compiled

    def rule_hot(function: Callable[..., Any]) -> Any:
        """`rule` for what every decision passes through: its code is put into its callers (measure before you add one)."""
        return rule(function, inlined=True)

    def rule_variant(function: Callable[..., Any], variant: str) -> Any:
        """`rule` for one of several functions that a factory makes of the same source; it may call itself and its siblings."""
        function.__qualname__ = f"{function.__name__}-{variant}"
        compiled = njit(nogil=True)(function)
        cache = _cache_of(function, _VariantCache)
        if cache is not None:
            compiled._cache = cache
        return compiled

    def rule_inline(function: Callable[..., Any]) -> Any:
        """For helpers that are only called from rules: their code is put into their callers, nothing is cached on its own."""
        return njit(nogil=True, forceinline=True)(function)

    def record_type(dtype: np.dtype[Any]) -> Any:
        """The Numba type of a record of this dtype (passed to compiled functions as a pointer)."""
        return from_dtype(dtype)

    class Address:
        """A compiled function that the core calls by number. Keep the object as long as the number is in use."""

        def __init__(self, function: Any, record_types: tuple[Any, ...]) -> None:
            python = getattr(function, "py_func", function)
            compiled = function if hasattr(function, "py_func") else rule(function)
            arity = len(record_types)
            if arity == 2:

                def shim(a: Any, b: Any) -> int:
                    try:
                        return compiled(a, b)
                    except Exception:
                        return -1
            else:

                def shim(a: Any, b: Any, c: int) -> int:  # type: ignore[misc]
                    try:
                        return compiled(a, b, c)
                    except Exception:
                        return -1

            shim.bot = python  # type: ignore[attr-defined]
            self.python = python
            callback: Any = CFunc(shim, (record_types, types.int64), {}, {"nopython": True})
            cache = _cache_of(shim)
            if cache is not None:
                callback._cache = cache
            callback.compile()
            self._cfunc = callback  # its code lives as long as this object
            self.number: Any = callback.address

    def _bot_types(view: np.dtype[Any], rules: np.dtype[Any]) -> tuple[Any, ...]:
        return from_dtype(view), from_dtype(rules)

    def _scorer_types(table: np.dtype[Any], rules: np.dtype[Any]) -> tuple[Any, ...]:
        return from_dtype(table), from_dtype(rules), types.int64

    def _pointer(builder: Any, context: Any, value: Any, kind: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        if isinstance(kind, types.Record):
            return builder.bitcast(value, pointer)
        return builder.inttoptr(value, pointer)

    @intrinsic
    def call_bot(tyctx: Any, number: Any, view: Any, rules: Any) -> Any:
        """Call the bot at address `number` with a view record and the address of the rules record."""

        def gen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointer, word = ir.IntType(8).as_pointer(), ir.IntType(64)
            function = ir.FunctionType(word, [pointer, pointer]).as_pointer()
            given = [_pointer(builder, context, a, t) for a, t in zip(args[1:], signature.args[1:], strict=True)]
            return builder.call(builder.inttoptr(args[0], function), given)

        return types.int64(types.int64, view, rules), gen

    @intrinsic
    def call_scorer(tyctx: Any, number: Any, table: Any, rules: Any, stage: Any) -> Any:
        """Call the scorer at address `number` with a table record, the address of the rules record and a stage."""

        def gen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointer, word = ir.IntType(8).as_pointer(), ir.IntType(64)
            function = ir.FunctionType(word, [pointer, pointer, word]).as_pointer()
            given = [_pointer(builder, context, a, t) for a, t in zip(args[1:3], signature.args[1:3], strict=True)]
            return builder.call(builder.inttoptr(args[0], function), [*given, args[3]])

        return types.int64(types.int64, table, rules, types.int64), gen

    def prefix_copier(fields: Any, length: int) -> Any:
        """A compiled `copy(source, target)` of the first `length` bytes of one record onto another."""

        @intrinsic
        def copy(tyctx: Any, source: Any, target: Any) -> Any:
            def gen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                pointer = ir.IntType(8).as_pointer()
                size = ir.Constant(ir.IntType(64), length)
                cgutils.raw_memcpy(builder, builder.bitcast(args[1], pointer), builder.bitcast(args[0], pointer), size, 1)
                return context.get_dummy_value()

            return types.none(source, target), gen

        return copy

    def _bit_intrinsic(generate: Callable[[Any, Any], Any]) -> Any:
        @intrinsic
        def operation(tyctx: Any, x: Any) -> Any:
            def gen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                return generate(builder, args[0])

            return types.int64(types.int64), gen

        return operation

    @intrinsic
    def _nth_bit(tyctx: Any, mask: Any, n: Any) -> Any:
        """One instruction that the predictor cannot miss, where the processor has it; else the same in steps."""

        def gen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            _triple, _name, features = context.codegen().magic_tuple()
            if "+bmi2" not in features.split(","):
                return context.compile_internal(builder, nth_bit, signature, args)
            word = ir.IntType(64)
            deposit = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, [word, word]), "llvm.x86.bmi.pdep.64")
            one = builder.call(deposit, [builder.shl(ir.Constant(word, 1), args[1]), args[0]])
            return builder.cttz(one, ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64, types.int64), gen

    _ctpop = _bit_intrinsic(lambda builder, x: builder.ctpop(x))
    _cttz = _bit_intrinsic(lambda builder, x: builder.cttz(x, ir.Constant(ir.IntType(1), 0)))
    _ctlz = _bit_intrinsic(lambda builder, x: builder.sub(ir.Constant(ir.IntType(64), 63), builder.ctlz(x, ir.Constant(ir.IntType(1), 0))))

else:

    def rule(function: Callable[..., Any], inlined: bool = False) -> Any:
        """Plain Python stays plain Python."""
        return function

    def rule_hot(function: Callable[..., Any]) -> Any:
        """Plain Python stays plain Python."""
        return function

    rule_inline = rule_hot

    def rule_variant(function: Callable[..., Any], variant: str) -> Any:
        """Plain Python stays plain Python."""
        return function

    class Address:  # type: ignore[no-redef]
        """In plain Python a function is its own address."""

        def __init__(self, function: Any, record_types: tuple[Any, ...]) -> None:
            self.python = self.number = function

    def _bot_types(view: np.dtype[Any], rules: np.dtype[Any]) -> tuple[Any, ...]:
        return ()

    def _scorer_types(table: np.dtype[Any], rules: np.dtype[Any]) -> tuple[Any, ...]:
        return ()

    def call_bot(number: Any, view: Any, rules: Any) -> int:
        try:
            return int(number(view, rules))
        except Exception:
            return -1

    def call_scorer(number: Any, table: Any, rules: Any, stage: int) -> int:
        return int(number(table, rules, stage))

    def prefix_copier(fields: Any, length: int) -> Any:
        def copy(source: Any, target: Any) -> None:
            for name in fields:
                target._fields[name][...] = source._fields[name]

        return copy


@functools.cache
def bot_address(function: Any, view: np.dtype[Any], rules: np.dtype[Any]) -> Address:
    """The address of a bot `f(view, rules) -> action`; an exception inside it comes out as -1."""
    return Address(function, _bot_types(view, rules))


@functools.cache
def scorer_address(function: Any, table: np.dtype[Any], rules: np.dtype[Any]) -> Address:
    """The address of a scorer `f(table, rules, stage) -> int`; an exception inside it comes out as -1."""
    return Address(function, _scorer_types(table, rules))


def popcount(x: int) -> int:
    """How many cards a mask holds."""
    return int(x).bit_count()


def lowbit(x: int) -> int:
    """The index of the lowest set bit; `x` is not 0."""
    return (int(x) & -int(x)).bit_length() - 1


def highbit(x: int) -> int:
    """The index of the highest set bit; `x` is not 0."""
    return int(x).bit_length() - 1


def nth_bit(mask: int, n: int) -> int:
    """The index of the n-th lowest set bit (n from 0, below `popcount(mask)`)."""
    for _ in range(n):
        mask &= mask - 1
    return lowbit(mask)


if JIT:

    @overload(popcount)
    def _popcount(x):
        return lambda x: _ctpop(np.int64(x))

    @overload(lowbit)
    def _lowbit(x):
        return lambda x: _cttz(np.int64(x))

    @overload(highbit)
    def _highbit(x):
        return lambda x: _ctlz(np.int64(x))

    @overload(nth_bit)
    def _overloaded_nth_bit(mask, n):
        return lambda mask, n: _nth_bit(np.int64(mask), np.int64(n))


def plain(array: Any) -> Any:
    """What a rule is handed in plain mode instead of `array`; the array itself when rules are compiled."""
    if JIT:
        return array
    return PlainArray(array) if array.dtype.names else Cells(array)


def address_array(shape: tuple[int, ...]) -> Any:
    """An array for function addresses: int64 in compiled mode (0: none), objects in plain mode."""
    return np.zeros(shape, dtype=np.int64 if JIT else object)


def rules_pointer(rules: Any) -> Any:
    """What `call_bot` and `call_scorer` take for a one-element array of rules: its address (keep the array alive)."""
    return rules.ctypes.data if JIT else Plain(rules, 0)
