"""What a command says when it cannot go on: one sentence and an exit status."""


class LabError(Exception):
    """A run that cannot go on; the message is one sentence for the person who started it."""

    status = 1


class UsageError(LabError):
    """A wrong argument, file or description; the message names the thing and what is allowed."""

    status = 2
