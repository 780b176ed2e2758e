"""Random numbers as a function of a key: splitmix64, the same in compiled and in plain Python."""

import numpy as np

from engine.jit import JIT, rule_inline

GAMMA = 0x9E3779B97F4A7C15
_M1, _M2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_MASK = (1 << 64) - 1

_G, _A, _B = np.uint64(GAMMA), np.uint64(_M1), np.uint64(_M2)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)

if JIT:

    @rule_inline
    def mix(x):
        """splitmix64's output function: a bijection of 64-bit numbers."""
        z = np.uint64(x) + _G
        z = (z ^ (z >> _30)) * _A
        z = (z ^ (z >> _27)) * _B
        return z ^ (z >> _31)

    @rule_inline
    def below(random, n):
        """A number 0..n-1 (n < 2**31) from a 64-bit random number: its upper half, scaled."""
        return np.int64(((np.uint64(random) >> _32) * np.uint64(n)) >> _32)

    @rule_inline
    def join(a, b):
        """A key made of two: `mix(mix(a) ^ b)`."""
        return mix(mix(np.uint64(a)) ^ np.uint64(b))
else:

    def mix(x: int) -> int:
        z = (int(x) + GAMMA) & _MASK
        z = (z ^ (z >> 30)) * _M1 & _MASK
        z = (z ^ (z >> 27)) * _M2 & _MASK
        return z ^ (z >> 31)

    def below(random: int, n: int) -> int:
        return (int(random) >> 32) * int(n) >> 32

    def join(a: int, b: int) -> int:
        return mix(mix(int(a)) ^ (int(b) & _MASK))


@rule_inline
def draw(key, n):
    """The `n`-th random number of the stream `key`."""
    return join(key, n)


@rule_inline
def bot_key(seed, pulka):
    """The key of the bots' random numbers in one pulka, apart from the key of its cards."""
    return join(join(seed, 0x626F7473), pulka)
