"""Studies on raspas alone (распасы; `docs/rules.md` 6): what hands, strategies, the talon's lead, a pass and a seat are worth."""
