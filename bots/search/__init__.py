"""Search: sampled layouts that agree with what was seen, solved and played out, chosen by whists (`docs/10-the-search-bots.md`)."""
