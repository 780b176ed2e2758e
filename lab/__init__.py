"""Runs by the million, their statistics and reports, and the command line."""
