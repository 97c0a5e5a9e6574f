"""YAML files with JSON values, such as collections of the official command-line client.

Scalars are read by the core schema of YAML 1.2, so that `yes`, `2026-01-01` and `010` stay text; what JSON
cannot express is rejected. Texts that an older YAML would read differently are written in quotes.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from yaml import CSafeDumper, CSafeLoader, MappingNode, YAMLError, dump, load, parse
from yaml.events import CollectionEndEvent, CollectionStartEvent

from batchwright.base.i18n import _
from batchwright.base.json_values import DEEPEST, Json
from batchwright.base.limits import LARGEST_BODY, MAX_JSON_TOKENS


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
    try:
        _require_shallow(content)
        value = load(content, Loader=_Loader)  # noqa: S506 - a subclass of CSafeLoader
    except InvalidYaml:
        raise
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        parts = (getattr(error, name, None) for name in ("context", "problem"))
        reason = ", ".join(filter(None, parts)) or _("this is not YAML")
        raise InvalidYaml(reason, None if mark is None else mark.line + 1) from None
    except (ValueError, RecursionError):
        raise InvalidYaml(_("this is not YAML")) from None
    counter = iter(range(MAX_JSON_TOKENS))
    return _json_value(value, DEEPEST, counter)


def yaml_content(value: Json) -> bytes:
    """Serialise a value; objects keep their order."""
    text = dump(_plain(value), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return str(text).encode("utf-8", "surrogatepass")


class _Loader(CSafeLoader):
    """Resolves only what JSON has; keys may occur once."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 - the declaration of the base class

    def construct_mapping(self, node: MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _value in node.value if isinstance(key.value, str)]
        if len(set(keys)) < len(keys):
            repeated = next(key for key in keys if keys.count(key) > 1)
            line = node.start_mark.line + 1
            raise InvalidYaml(_("the key “{key}” occurs twice").format(key=repeated), line)
        return super().construct_mapping(node, deep)


class _Dumper(CSafeDumper):
    """Writes an object that occurs twice in full each time."""

    def ignore_aliases(self, data: object) -> bool:
        return True


_SCALARS = {
    "null": (re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""]),
    "bool": (re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")),
    "int": (re.compile(r"^[-+]?(?:0|[1-9][0-9]*)$"), list("-+0123456789")),
    "float": (
        re.compile(r"^[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*|[0-9]+(?=[eE]))(?:[eE][-+]?[0-9]+)?$"),
        list("-+.0123456789"),
    ),
}
for _tag, (_pattern, _first) in _SCALARS.items():
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", _pattern, _first)


def _require_shallow(content: bytes) -> None:
    """Reject deep nesting before values are constructed, which is recursive."""
    depth = 0
    for event in parse(content, Loader=CSafeLoader):
        if isinstance(event, CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                raise InvalidYaml(_("this is nested too deeply"))
        elif isinstance(event, CollectionEndEvent):
            depth -= 1


def _json_value(value: object, levels: int, counter: Iterator[int]) -> Json:
    """A copy without shared parts; `counter` ends after the maximum number of values."""
    if next(counter, None) is None:
        raise InvalidYaml(_("it contains too many values"))
    if not levels:
        raise InvalidYaml(_("this is nested too deeply"))
    match value:
        case None | bool() | int() | str():
            return value
        case float() if value - value == 0:
            return value
        case list():
            return [_json_value(inner, levels - 1, counter) for inner in value]
        case dict():
            for key in value:
                if not isinstance(key, str):
                    raise InvalidYaml(_("the key {key} is not text").format(key=key))
            return {str(key): _json_value(inner, levels - 1, counter) for key, inner in value.items()}
    raise InvalidYaml(
        _("it contains a value that JSON cannot express: {value}").format(value=str(value)[:80])
    )


def _plain(value: Json) -> object:
    """The value in the types that the library writes."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value
