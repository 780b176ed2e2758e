"""`club`'s experience: tables made from deals of its own kind by `bots.club_learning`, kept in `club_tables.npz`.

Compiled bots freeze the tables into their code, and compiled code is kept under a stamp of the sources: so the digest of the
file stands here, and with other tables this source is another one.
"""

from __future__ import annotations

import hashlib
import io
import re
from pathlib import Path
from typing import Any

import numpy as np

from engine.jit import plain

DIGEST = "af259adfe52b297384528fc844fcc642b107fdb1d39c91d030cb6f034fa21c46"
FILE = Path(__file__).with_suffix(".npz")


def read_tables(file: Path, digest: str, maker: str) -> dict[str, Any]:
    """The tables of a file, by name; `RuntimeError` where it is not the file with this digest, which the module `maker` writes."""
    content = file.read_bytes()
    if hashlib.sha256(content).hexdigest() != digest:
        raise RuntimeError(f"{file.name} is not the file that {file.stem}.py was written for: make both anew by {maker}")
    with np.load(io.BytesIO(content)) as tables:
        return {name: plain(tables[name]) for name in tables.files}


def write_tables(file: Path, tables: dict[str, Any]) -> None:
    """The tables into `file`, and its digest into the source beside it that reads it."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **dict(sorted(tables.items())))
    file.write_bytes(buffer.getvalue())
    digest = hashlib.sha256(buffer.getvalue()).hexdigest()
    source = file.with_suffix(".py")
    text = source.read_text(encoding="utf8")
    source.write_text(re.sub(r'^DIGEST = ".*"$', f'DIGEST = "{digest}"', text, flags=re.MULTILINE), encoding="utf8")


_TABLES = read_tables(FILE, DIGEST, "bots.club_learning")

# raspas, by standing of a suit (`bots.suits`): the tricks that it still brings its holder, in 256ths;
# by tricks to go: what being on lead adds
RASPAS = _TABLES["raspas"]
RASPAS_LEAD = _TABLES["raspas_lead"]

# cards in trick contracts, by sight, order and place: the tricks lost against best play, in 256ths
DECLARER_LEAD = _TABLES["declarer_lead"]
DECLARER_SECOND = _TABLES["declarer_second"]
DEFENCE_LEAD = _TABLES["defence_lead"]
DEFENCE_SECOND = _TABLES["defence_second"]
DEFENCE_DISCARD = _TABLES["defence_discard"]

# leads on misère, by the order of three owners and place: the tricks lost, in 64ths; the dark lead by order and place
MISERE_ATTACK = _TABLES["misere_attack"]
MISERE_LEAD = _TABLES["misere_lead"]
MISERE_DARK = _TABLES["misere_dark"]

# tricks by role of a suit (0 trumps, 1 beside trumps, 2 without trumps) and holding, in 256ths, and what is to be added to the sum
FINAL = _TABLES["final"]  # the declarer's, from the ten cards he plays with; added: with, without trumps
FINAL_BASE = _TABLES["final_base"]
DEALT = _TABLES["dealt"]  # the declarer's, from the ten cards he was dealt
DEALT_BASE = _TABLES["dealt_base"]
TOTAL = _TABLES["total"]  # both defenders' together, from the cards of one of them; added: by level
TOTAL_BASE = _TABLES["total_base"]
OWN = _TABLES["own"]  # this defender's
OWN_BASE = _TABLES["own_base"]

# misère by holding: the tricks that threaten, in 256ths, after the discard and before the talon; added: by how many seats after him
# first hand sits
MISERE_FINAL = _TABLES["misere_final"]
MISERE_DEALT = _TABLES["misere_dealt"]
MISERE_BASE = _TABLES["misere_base"]
# and by quarters of a trick that a dealt hand is threatened with, from -1 on: the chance of a clean misère (4096ths), the tricks
# taken (256ths)
MISERE_CLEAN = _TABLES["misere_clean"]
MISERE_TRICKS = _TABLES["misere_tricks"]
