"""The game of preferans (преферанс): cards, dealing, the table, the phases of a deal, the fast core.

The engine names no convention: it is handed a record of procedure parameters and a scorer.
"""
