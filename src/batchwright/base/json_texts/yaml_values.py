"""YAML files with JSON values, such as collections of the official command-line client.

Scalars without quotes are read by the core schema of YAML 1.2, so that `yes`, `2026-01-01` and `010` stay
text. Tags are rejected, and what else JSON cannot express. Texts that this or an older YAML would read as
another value are written in quotes.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from yaml import CSafeDumper, CSafeLoader, YAMLError, dump, parse
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
)
from yaml.reader import ReaderError

from batchwright.base.i18n import _
from batchwright.base.json_values import DEEPEST, Json, JsonObject, to_json
from batchwright.base.limits import LARGEST_BODY, MAX_JSON_TOKENS
from batchwright.base.local_formats import joined
from batchwright.base.text import truncate, without_lone_surrogates


class InvalidYaml(ValueError):
    """A text is not YAML, or contains what JSON cannot express.

    `reason` is written to follow a colon; the message also has the position. `line` counts from 1, and is
    None if the error has no single position.
    """

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(f"{reason}{_(' (line {line})').format(line=line)}" if line else reason)
        self.reason, self.line = reason, line


def parse_yaml(content: bytes) -> Json:
    """Parse a YAML document as JSON values; anchors are replaced by what they refer to.

    Raises:
        InvalidYaml: it is not a single document of JSON values, too large, or nested too deeply.
    """
    if len(content) > LARGEST_BODY:
        raise InvalidYaml(_("the file is too large"))
    reader = _Reader()
    try:
        for event in parse(content, Loader=CSafeLoader):
            reader.read(event)
    except ReaderError as error:
        line = content[: error.position].count(b"\n") + 1
        raise InvalidYaml(_("a character here cannot be read"), line) from None
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        parts = (getattr(error, name, None) for name in ("context", "problem"))
        reason = joined(filter(None, parts)) or _("this is not YAML")
        raise InvalidYaml(reason, None if mark is None else mark.line + 1) from None
    return reader.document


def yaml_content(value: Json) -> bytes:
    """Serialise a value; objects keep their order. Lone surrogates, which YAML cannot have, are replaced."""
    text = dump(_plain(value), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return str(text).encode()


class _Dumper(CSafeDumper):
    """Writes an object that occurs twice in full each time."""

    def ignore_aliases(self, _data: object) -> bool:
        return True


class _Size(NamedTuple):
    """How much an anchor refers to."""

    values: int
    characters: int
    levels: int


@dataclass
class _Collection:
    """An array or an object that is being read; `key` is the last key of an object, before its value."""

    value: list[Json] | dict[str, Json]
    anchor: str | None
    values_before: int
    characters_before: int
    key: str | None = None
    levels: int = 1


class _Reader:
    """Builds a JSON value from the events of a parser. Anchors and aliases are counted like copies."""

    def __init__(self) -> None:
        self.document: Json = None
        self._is_complete = False
        self._open: list[_Collection] = []
        self._anchors: dict[str, tuple[Json, _Size]] = {}
        self._values = self._characters = 0

    def read(self, event: Event) -> None:
        """Read the next event.

        Raises:
            InvalidYaml: it is not part of a single JSON value, or the value is too large.
        """
        line = 1 if event.start_mark is None else event.start_mark.line + 1
        match event:
            case DocumentStartEvent() if self._is_complete:
                raise InvalidYaml(_("there is more than one document"), line)
            case NodeEvent():
                self._read_node(event, line)
            case CollectionEndEvent():
                self._close(line)

    def _read_node(self, event: NodeEvent, line: int) -> None:
        match event:
            case AliasEvent():
                if event.anchor not in self._anchors:
                    raise InvalidYaml(_("“*{name}” refers to nothing").format(name=event.anchor), line)
                value, size = self._anchors[event.anchor]
                self._add(value, size, line)
            case ScalarEvent():
                _require_no_tag(event.tag, line)
                value = _scalar(event.value, line) if event.implicit[0] else event.value
                size = _Size(1, len(event.value), 0)
                if event.anchor:
                    self._anchors[event.anchor] = (value, size)
                self._add(value, size, line)
            case CollectionStartEvent():
                _require_no_tag(event.tag, line)
                self._require_value(line)
                new: list[Json] | dict[str, Json] = [] if isinstance(event, SequenceStartEvent) else {}
                self._open.append(_Collection(new, event.anchor, self._values, self._characters))
                self._require_bounds(0, line)

    def _close(self, line: int) -> None:
        closed = self._open.pop()
        size = _Size(
            self._values - closed.values_before + 1,
            self._characters - closed.characters_before,
            closed.levels,
        )
        self._values, self._characters = closed.values_before, closed.characters_before
        if closed.anchor:
            self._anchors[closed.anchor] = (closed.value, size)
        self._add(closed.value, size, line)

    def _add(self, value: Json, size: _Size, line: int) -> None:
        """Add a value to the innermost array or object, or keep it as the key of the next one."""
        self._values += size.values
        self._characters += size.characters
        self._require_bounds(size.levels, line)
        if not self._open:
            self.document, self._is_complete = value, True
            return
        around = self._open[-1]
        around.levels = max(around.levels, size.levels + 1)
        if isinstance(around.value, list):
            around.value.append(value)
        elif around.key is None:
            around.key = _new_key(value, around.value, line)
        else:
            around.value[around.key], around.key = value, None

    def _require_value(self, line: int) -> None:
        """Reject an array or object as a key."""
        if self._open and isinstance(self._open[-1].value, dict) and self._open[-1].key is None:
            raise InvalidYaml(_("a key is not text"), line)

    def _require_bounds(self, levels: int, line: int) -> None:
        if self._values > MAX_JSON_TOKENS or self._characters > LARGEST_BODY:
            raise InvalidYaml(_("it contains too many values"), line)
        if len(self._open) + levels > DEEPEST:
            raise InvalidYaml(_("this is nested too deeply"), line)


def _require_no_tag(tag: str | None, line: int) -> None:
    if tag is not None:
        name = tag.replace("tag:yaml.org,2002:", "!!")
        raise InvalidYaml(_("types such as “{tag}” are not supported; remove it").format(tag=name), line)


def _new_key(key: Json, holder: JsonObject, line: int) -> str:
    if not isinstance(key, str):
        raise InvalidYaml(_("the key {key} is not text").format(key=to_json(key)), line)
    if key in holder:
        raise InvalidYaml(_("the key “{key}” occurs twice").format(key=truncate(key)), line)
    return key


_NULL = re.compile(r"~|null|Null|NULL|")
_TRUE, _FALSE = re.compile("true|True|TRUE"), re.compile("false|False|FALSE")
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?")


# The library knows fewer numbers, and would write the others as texts without quotes.
_Dumper.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(rf"(?:{_FLOAT.pattern})\Z"), [*"+-.0123456789"]
)


def _scalar(text: str, line: int) -> Json:
    """The value of a scalar without quotes."""
    if _NULL.fullmatch(text):
        return None
    if _TRUE.fullmatch(text) or _FALSE.fullmatch(text):
        return text[0] in "tT"
    try:
        if _INTEGER.fullmatch(text):
            return int(text)
        number = float(text) if _FLOAT.fullmatch(text) else None
    except ValueError:
        raise InvalidYaml(_("a number has too many digits"), line) from None
    if number is not None and math.isinf(number):
        raise InvalidYaml(_("the number {number} is too large").format(number=truncate(text)), line)
    return text if number is None else number


def _plain(value: Json) -> object:
    """The value in the types that the library writes."""
    if isinstance(value, Mapping):
        return {without_lone_surrogates(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return without_lone_surrogates(value) if isinstance(value, str) else value
