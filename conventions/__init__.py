"""What a deal is worth: conventions as data, the scorer, the sheet, settlement.

What stands here imports nothing that compiles; `conventions.scorer` and `conventions.protocol` do.
"""

from conventions.catalogue import available_options, changed_options, compare, get, names, options_in_full, split_options
from conventions.convention import Convention
from conventions.files import find, to_toml
from conventions.parameters import ConventionError

__all__ = [
    "Convention",
    "ConventionError",
    "available_options",
    "changed_options",
    "compare",
    "find",
    "get",
    "names",
    "options_in_full",
    "split_options",
    "to_toml",
]
