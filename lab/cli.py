"""The command `preferans`. Only the module of the subcommand that is asked for is imported, so that `--help` answers at once."""

from __future__ import annotations

import importlib
import io
import os
import sys
import threading
import time
from importlib.util import find_spec
from typing import Any

import typer

from lab.errors import LabError

STOPPED = 130  # the status of a command that Ctrl-C or SIGTERM ended early
PATIENCE = 2.0  # seconds that a finished command's threads get to end by themselves

# subcommand: module, function, what the list of commands says of it
COMMANDS: dict[str, tuple[str, str, str]] = {
    "simulate": ("lab.simulate", "simulate", "Play bots against each other by the thousand or the million, and report."),
    "report": ("lab.cli_report", "report", "Make one HTML page of one or several simulations."),
    "sweep": ("lab.cli_sweep", "sweep", "Simulate every point of a grid of conventions, options, seats, targets and bots."),
    "replay": ("lab.cli_records", "replay", "Play recorded pulkas through the engine and check every action, entry and result."),
    "show": ("lab.cli_records", "show", "Print a recorded pulka deal by deal."),
    "conventions": ("lab.cli_conventions", "conventions", "List the conventions and their options, with meaning and Russian term."),
    "score": ("lab.cli_conventions", "score", "Write the sheet of deals whose outcomes are known, and settle it."),
    "settle": ("lab.cli_conventions", "settle", "Settle a finished sheet."),
    "solve": ("lab.cli_solve", "solve", "Best play with all cards known: how many tricks the declarer takes."),
    "odds": ("lab.cli_odds", "odds", "How often cards lie as asked."),
    "league": ("lab.cli_league", "league", "Rank bots by duplicate pulkas."),
    "raspas": ("lab.cli_raspas", "raspas", "What raspas are worth."),
    "analyse": ("lab.cli_analyse", "analyse", "Judge the play of recorded pulkas."),
    "deal": ("lab.cli_deal", "deal", "Deal cards, also such as satisfy a condition."),
    "bot-protocol": ("lab.cli_bot_protocol", "bot_protocol", "Let a program in any language play over pipes."),
}


def _application(chosen: str | None) -> typer.Typer:
    """The commands that are installed; the chosen one is the real function, the others are lines of the list."""
    about = "Preferans (преферанс): the whole game, by the million or one table at a time."
    app = typer.Typer(help=about, no_args_is_help=True, add_completion=False)
    app.callback()(lambda: None)
    for name, (module, function, line) in COMMANDS.items():
        if find_spec(module) is None:
            continue
        command: Any = getattr(importlib.import_module(module), function) if name == chosen else lambda: None
        app.command(name, help=None if name == chosen else line)(command)
    return app


def main(arguments: list[str] | None = None) -> None:
    """Entry point; ends with status 0, 1 (something failed), 2 (a wrong argument) or 130 (Ctrl-C)."""
    _mend_streams()
    status = run(sys.argv[1:] if arguments is None else arguments)
    _leave_threads_behind(status)
    sys.exit(status)


def _mend_streams() -> None:
    """A sign that a stream's encoding lacks is written as its number; without a standard output nothing is begun."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - for as long as the process lives
    if sys.stdout is None:
        print("preferans: standard output is closed", file=sys.stderr)
        sys.exit(1)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _leave_threads_behind(status: int) -> None:
    """End the process over threads that outlast the command: one in compiled code or in a slow bot cannot be asked to stop."""
    until = time.monotonic() + (0.0 if status == STOPPED else PATIENCE)
    others = [thread for thread in threading.enumerate() if thread is not threading.current_thread() and not thread.daemon]
    for thread in others:
        thread.join(max(0.0, until - time.monotonic()))
    if any(thread.is_alive() for thread in others):
        if external := sys.modules.get("bots.external"):
            external.end_all()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def run(arguments: list[str]) -> int:
    """Carry out one command line and return its exit status; every error is one sentence on stderr."""
    chosen = next((word for word in arguments if not word.startswith("-")), None)
    name = f"preferans {chosen}" if chosen in COMMANDS else "preferans"
    try:
        answer = _application(chosen)(arguments, prog_name="preferans", standalone_mode=False)
        sys.stdout.flush()
        return answer if isinstance(answer, int) else 0
    except LabError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return error.status
    except typer.TyperException as error:
        if error.exit_code == 2 and not error.format_message():
            return 2  # called without arguments: the help has been printed
        print(f"{name}: {error.format_message().replace('Value error, ', '')}", file=sys.stderr)
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        print(f"{name}: stopped", file=sys.stderr)
        return STOPPED
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # a broken pipe needs no word: who read the answer has gone
            print(f"{name}: {error.filename or 'standard output'} cannot be written: {error.strerror or error}", file=sys.stderr)
        # let the interpreter's own flush find an open file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
