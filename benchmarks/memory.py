"""How much memory a long run takes as it goes on: `python -m benchmarks.memory [PULKAS [BOTS]]`.

Runs `preferans simulate --out` in a process of its own, report and all, and reads from /proc what is resident in memory. Prints a table
and a curve: pulkas that are safe on disk against megabytes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import attrs

LINES = 20  # of the table and the curve
WIDTH = 60


@attrs.frozen
class Sample:
    """What was seen at one moment: seconds since the start, pulkas on disk, resident memory in megabytes."""

    seconds: float
    pulkas: int
    resident: float


def resident(process: int, field: str) -> float | None:
    """`VmRSS` (now) or `VmHWM` (the most so far) of a process in megabytes; None once it has ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    found = next((line.split() for line in lines if line.startswith(f"{field}:")), None)
    return int(found[1]) / 1024 if found else None


def on_disk(manifest: Path) -> int:
    """How many pulkas the last whole line of a manifest makes safe."""
    try:
        with manifest.open("rb") as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - 200_000))
            lines = file.read().splitlines(keepends=True)
    except OSError:
        return 0
    for line in reversed(lines):
        if line.startswith(b'{"first"') and line.endswith(b"\n"):
            part = json.loads(line)
            return int(part["first"]) + int(part["count"])
    return 0


def watch(pulkas: int, bots: str, folder: Path) -> tuple[list[Sample], float]:
    """Samples of a run from its start to its end, and the most memory that it ever had."""
    out = folder / "run"
    command = [sys.executable, "-m", "lab", "simulate", "--bots", bots, "--pulkas", str(pulkas), "--out", str(out)]
    start = time.monotonic()
    samples, most = [], 0.0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            now = resident(process.pid, "VmRSS")
            if now is not None:
                samples.append(Sample(time.monotonic() - start, on_disk(out / "manifest.jsonl"), now))
                most = max(most, resident(process.pid, "VmHWM") or 0.0)
            time.sleep(0.25)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: status {process.returncode}")
    return samples, most


def table(samples: list[Sample], pulkas: int, most: float) -> list[str]:
    """A line for each step of pulkas, with the most memory since the step before, drawn as a bar."""
    lines = [f"{'pulkas':>12}{'seconds':>9}{'MB':>7}"]
    scale = WIDTH / max(1.0, most)
    for step in range(1, LINES + 1):
        until, since = pulkas * step / LINES, pulkas * (step - 1) / LINES
        inside = [s for s in samples if since < s.pulkas <= until and s.pulkas < pulkas]
        if inside:
            last, high = inside[-1], max(s.resident for s in inside)
            lines.append(f"{last.pulkas:>12,}{last.seconds:>9.0f}{high:>7.0f}  {'#' * round(high * scale)}")
    after = [s for s in samples if s.pulkas >= pulkas]
    if after:
        high = max(s.resident for s in after)
        lines.append(f"{'the end':>12}{after[-1].seconds:>9.0f}{high:>7.0f}  {'#' * round(high * scale)}  files joined, report written")
    return [*lines, f"at most {most:.0f} MB"]


def main(arguments: list[str]) -> None:
    pulkas = int(arguments[0]) if arguments else 10_000_000
    bots = arguments[1] if len(arguments) > 1 else "novice"
    with tempfile.TemporaryDirectory() as folder:
        samples, most = watch(pulkas, bots, Path(folder))
    print("\n".join(table(samples, pulkas, most)))


if __name__ == "__main__":
    main(sys.argv[1:])
