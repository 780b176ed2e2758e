"""`club`'s experience of raspas (распасы): tables made by `bots.club_raspas_learning`, kept in `club_raspas_tables.npz`.

The digest of the file stands here for the reason that `bots.club_tables` gives.
"""

from __future__ import annotations

from pathlib import Path

from bots.club_tables import read_tables

DIGEST = "24e46d8fa5b44270e8aadda69e87f7c2f6a2f87a7c525494a5214343d12ed8ef"
FILE = Path(__file__).with_suffix(".npz")

_TABLES = read_tables(FILE, DIGEST, "bots.club_raspas_learning")

# by sight, order and place of a card (`bots.club_raspas.sight`), one index for all three: what it was worth beyond the reckoning
PER_TRICK = 64  # where tricks go to the mountain: in 64ths of a trick;
PER_PRICE = 16  # where raspas is scored to whists: in 16ths of the whists for one trick
MOUNTAIN = _TABLES["mountain"]
WHISTS = _TABLES["whists"]
# by kind of card (`bots.club_raspas.kind_of`): how much of that a reckoned trick is, in 256ths of a trick or its whists
MOUNTAIN_SHARE = _TABLES["mountain_share"]
WHISTS_SHARE = _TABLES["whists_share"]
