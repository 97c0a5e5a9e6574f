"""Changes values in YAML or JSON, and leaves everything else as it is written: quotes, order, comments.

Values are replaced where they stand. Entries of a block, one below the other, are added and removed by whole
lines; any other collection whose entries change is written again as a whole. The result is parsed and
compared with the wanted value, so a text that this module does not understand is never damaged.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from yaml import CSafeLoader, Node, YAMLError, compose
from yaml.nodes import MappingNode, ScalarNode, SequenceNode

from batchwright.base.json_texts.yaml_values import InvalidYaml, parse_yaml, yaml_content
from batchwright.base.json_values import InvalidJson, Json, is_array, is_object, json_equal, to_json
from batchwright.base.sequence_matching import matching_runs

_SPACES = re.compile(" *")


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


def with_changes(
    content: bytes, old: Json, new: Json, parse: Callable[[bytes], Json] = parse_yaml
) -> bytes | None:
    """The content of a file with the value `old`, changed to have the value `new`; `parse` reads the result.

    None if the text cannot be changed in place, also if all of it would be replaced.
    """
    try:
        text = content.decode()
        node = compose(text, Loader=CSafeLoader)
        if not isinstance(node, MappingNode) or not (is_object(old) and is_object(new) and [*old] == [*new]):
            return None
        changed = _edited(text, sorted(_edits(text, node, old, new))).encode()
        return changed if json_equal(parse(changed), new) else None
    except (UnicodeError, YAMLError, InvalidYaml, InvalidJson, KeyError):
        return None


def _edited(text: str, edits: Iterable[_Edit]) -> str:
    """The text with edits that follow each other."""
    parts, kept = [], 0
    for edit in edits:
        parts += [text[kept : edit.start], edit.text]
        kept = edit.end
    return "".join([*parts, text[kept:]])


def _edits(text: str, node: Node, old: Json, new: Json) -> Iterator[_Edit]:
    if json_equal(old, new):
        return
    if isinstance(node, MappingNode) and is_object(old) and is_object(new) and [*old] == [*new]:
        for key, inner in node.value:
            yield from _edits(text, inner, old[key.value], new[key.value])
    elif isinstance(node, SequenceNode) and is_array(old) and is_array(new) and _can_splice(node, old, new):
        yield from _sequence_edits(text, node, old, new)
    else:
        yield _replacement(text, node, new)


def _can_splice(node: SequenceNode, old: Sequence[Json], new: Sequence[Json]) -> bool:
    return len(old) == len(new) or (not node.flow_style and bool(old) and bool(new))


def _sequence_edits(
    text: str, node: SequenceNode, old: Sequence[Json], new: Sequence[Json]
) -> Iterator[_Edit]:
    if len(old) == len(new):
        for inner, before, after in zip(node.value, old, new, strict=True):
            yield from _edits(text, inner, before, after)
        return
    before_texts, after_texts = (list(map(_comparable, values)) for values in (old, new))
    for first, last, start, end in matching_runs(before_texts, after_texts):
        paired = min(last - first, end - start)
        for offset in range(paired):
            yield from _edits(text, node.value[first + offset], old[first + offset], new[start + offset])
        for index in range(first + paired, last):
            line = _line_start(text, node.value[index].start_mark.index)
            yield _Edit(line, _end_of_lines(text, node.value[index]), "")
        if start + paired < end:
            yield _insertion(text, node, first + paired, new[start + paired : end])


def _comparable(value: Json) -> str:
    """A text by which entries are matched: without their numbers, such as positions, which all change."""
    if not is_object(value):
        return to_json(value)
    return to_json({key: inner for key, inner in value.items() if not isinstance(inner, int)})


def _insertion(text: str, node: SequenceNode, index: int, values: Sequence[Json]) -> _Edit:
    """Add entries before an entry of a block, or after its last one."""
    column = node.start_mark.column
    lines = _indented(yaml_content(values).decode(), column)
    if index < len(node.value):
        position = _line_start(text, node.value[index].start_mark.index)
        if index:
            return _Edit(position, position, " " * column + lines)
        return _Edit(node.start_mark.index, node.start_mark.index, lines + " " * column)
    position = _end_of_lines(text, node.value[-1])
    lead = "" if text[:position].endswith("\n") else "\n"
    return _Edit(position, position, lead + " " * column + lines)


def _replacement(text: str, node: Node, new: Json) -> _Edit:
    start, end = node.start_mark.index, _end(text, node)
    if isinstance(node, ScalarNode):
        if node.style in {"|", ">"} and isinstance(new, str):
            return _Edit(start, node.end_mark.index, _literal(text, node, new))
        if node.style == "'" and isinstance(new, str) and "\n" not in new:
            return _Edit(start, end, "'" + new.replace("'", "''") + "'")
        if not node.style and isinstance(new, str) and "\n" not in new:
            return _Edit(start, end, yaml_content(new).decode().removesuffix("...\n").strip())
        return _Edit(start, end, to_json(new))
    if getattr(node, "flow_style", True) or not isinstance(new, (Mapping, Sequence)) or not new:
        return _Edit(start, end, _json(text, start, end, new))
    return _Edit(start, end, _indented(yaml_content(new).decode(), node.start_mark.column).rstrip("\n"))


def _json(text: str, start: int, end: int, new: Json) -> str:
    """A value in the place of one on one line, or on several lines with the indentation of that one."""
    if "\n" not in text[start:end]:
        return to_json(new)
    outer, inner = _indent(text, _line_start(text, start)), _indent(text, text.find("\n", start) + 1)
    return _indented(to_json(new, indent=max(1, inner - outer)), outer)


def _indent(text: str, line: int) -> int:
    """The number of spaces before the text of the line that starts at an index."""
    spaces = _SPACES.match(text, line)
    return 0 if spaces is None else len(spaces[0])


def _literal(text: str, node: ScalarNode, new: str) -> str:
    """A text in lines of its own, indented as before."""
    lines = text[node.start_mark.index : node.end_mark.index].splitlines()[1:]
    filled = next((line for line in lines if line.strip()), "  ")
    indent = filled[: len(filled) - len(filled.lstrip(" "))]
    header = "|" if new.endswith("\n") else "|-"
    body = "".join(f"{indent}{line}\n" if line else "\n" for line in new.removesuffix("\n").split("\n"))
    return f"{header}\n{body}"


def _indented(lines: str, column: int) -> str:
    first, *others = lines.splitlines(keepends=True)
    return first + "".join(" " * column + line if line.strip() else line for line in others)


def _line_start(text: str, index: int) -> int:
    return text.rfind("\n", 0, index) + 1


def _end(text: str, node: Node) -> int:
    """The end of a value, without the white space and the comments below it."""
    last = node
    while isinstance(last, (MappingNode, SequenceNode)) and not last.flow_style and last.value:
        inner = last.value[-1]
        last = inner[1] if isinstance(inner, tuple) else inner
    end = last.end_mark.index
    return end if end <= last.start_mark.index else len(text[:end].rstrip())


def _end_of_lines(text: str, node: Node) -> int:
    """The start of the line below a value."""
    line_end = text.find("\n", _end(text, node))
    return len(text) if line_end < 0 else line_end + 1
