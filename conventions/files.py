"""A person's own convention: a TOML file that names a base and what differs, and any convention printed in that form."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from conventions import catalogue
from conventions.convention import GROUPS, PARAMETERS, Convention
from conventions.parameters import ConventionError, show


def find(name: str) -> Convention:
    """A convention by preset name or by the path of a `.toml` file; `ConventionError` otherwise."""
    if isinstance(name, str) and name.lower().endswith(".toml"):
        return load(Path(name))
    return catalogue.get(name)


def load(path: Path) -> Convention:
    """Read a TOML file; errors name the file, the field, the value and what is allowed."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not a UTF-8 text"
        raise ConventionError(f"{path}: the convention cannot be read: {reason}") from None
    try:
        return loads(text, path.stem)
    except ConventionError as error:
        raise ConventionError(f"{path}: {error}") from None


def loads(text: str, name: str = "own") -> Convention:
    """A convention from the text of a TOML file; `name` stands where the text has none."""
    try:
        content = tomllib.loads(text)
    except RecursionError:
        raise ConventionError("it is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        raise ConventionError(f"not a TOML text: {error}") from None
    return from_mapping(content, name)


def from_mapping(content: Mapping[str, Any], name: str = "own") -> Convention:
    """A convention from `base`, optional `name`, `title`, `version`, and parameters, at the top or under their groups."""
    values: dict[str, Any] = {}
    words: dict[str, str] = {"name": name, "title": "", "version": "1"}
    base: Convention | None = None
    for key, value in content.items():
        if key == "base":
            base = catalogue.PRESETS.get(value) if isinstance(value, str) else None
            if base is None:
                raise ConventionError(f"base: {value!r} is not a known convention; allowed: {', '.join(catalogue.PRESETS)}")
        elif key in words:
            if not isinstance(value, str) or (key != "title" and not re.fullmatch(r"[\w.+-]{1,60}", value)):
                raise ConventionError(f"{key}: {value!r} is not allowed; allowed: a text of letters, digits and . + - _")
            words[key] = value
        elif key in GROUPS and isinstance(value, Mapping):
            for inner, inner_value in value.items():
                field = PARAMETERS.get(inner)
                if field is None or field.metadata["group"] != key:
                    there = ", ".join(n for n, f in PARAMETERS.items() if f.metadata["group"] == key)
                    raise ConventionError(f"{key}.{inner}: there is no such parameter; known under [{key}]: {there}")
                if inner in values:
                    raise ConventionError(f"{inner} stands twice, at the top and under [{key}]")
                values[inner] = inner_value
        elif key in PARAMETERS:
            if key in values:
                raise ConventionError(f"{key} stands twice, at the top and under [{PARAMETERS[key].metadata['group']}]")
            values[key] = value
        else:
            raise ConventionError(
                f"{key}: there is no such field; known: base, name, title, version, the groups {', '.join(GROUPS)} and their parameters"
            )
    if base is None:
        raise ConventionError(f"base is missing; allowed: {', '.join(catalogue.PRESETS)}")
    if words["name"] in catalogue.PRESETS:
        raise ConventionError(f"name: {words['name']!r} is the name of a built-in convention; choose another")
    changes: dict[str, Any] = {**words, **values, "base": base.name, "fixed": frozenset(), "choices": {}}
    return attrs.evolve(base, **changes)


def to_mapping(convention: Convention) -> dict[str, Any]:
    """A convention in full as JSON values, such that `from_mapping` reads it back."""
    own = convention.name not in catalogue.PRESETS
    head = {
        "base": convention.base or convention.name,
        "name": convention.name if own else f"my-{convention.name}",
        "title": convention.title,
        "version": convention.version,
    }
    return head | {name: "none" if getattr(convention, name) is None else getattr(convention, name) for name in PARAMETERS}


def _toml(value: Any) -> str:
    if isinstance(value, int):
        return show(value)
    return json.dumps(value, ensure_ascii=False)


def to_toml(convention: Convention) -> str:
    """Any convention as the TOML text of a person's file: every parameter under its group, with its meaning and Russian term."""
    values = to_mapping(convention)
    lines = [f"{key} = {_toml(values[key])}" for key in ("base", "name", "title", "version")]
    for group, russian in GROUPS.items():
        lines += ["", f"[{group}]  # {russian}"]
        for name, field in PARAMETERS.items():
            if field.metadata["group"] == group:
                data = field.metadata
                lines.append(f"# {data['russian']}: {data['help']}; allowed: {data['kind'].allowed}")
                lines.append(f"{name} = {_toml(values[name])}")
    return "\n".join(lines) + "\n"
