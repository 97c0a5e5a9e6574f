"""The documentation of the rules in the help, generated from the rules: title, examples and fix."""

import html
from dataclasses import dataclass
from typing import Any, TypeAlias

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, is_array, is_object, to_json
from batchwright.base.text import truncate
from batchwright.layout.checking.validator import LayoutChecker, check_json
from batchwright.layout.rules import RejectionStatus, Rule, SchemaUnavailable
from batchwright.layout.rules.examples import Example
from batchwright.layout.rules.problems import Problem
from batchwright.layout.serialization import read, sequential_keys

AnyRule: TypeAlias = Rule[Any]

_SHORT = 72
"""JSON up to this many characters is written on one line."""

_LONGEST_TEXT, _MAX_ENTRIES = 90, 20
"""Maximum length of texts (characters) and lists (entries); longer ones are shortened."""


@dataclass(frozen=True)
class RuleDoc:
    """The documentation of a rule; `fix` is empty if there is none, `fields` describes the dataset."""

    code: str
    title: str
    kind: str
    message: str
    fails: str
    fields: str
    passes: str
    fix: str
    is_error: bool


def rule_doc(rule: AnyRule) -> RuleDoc:
    """The documentation of a rule; if possible with an example that has a fix."""
    examples = [(example, _problem(rule, example)) for example in rule.fails]
    example, problem = next((pair for pair in examples if pair[1].fix), examples[0])
    return RuleDoc(
        code=rule.code,
        title=_(rule.title),
        kind=consequence_text(rule),
        message=problem.message,
        fails=_shown(example),
        fields=_fields(example),
        passes=_shown(rule.passes[0]),
        fix=problem.fix.label if problem.fix else "",
        is_error=rule.rejection is not None,
    )


def as_html(doc: RuleDoc) -> str:
    """The documentation of a rule as simple HTML."""
    blocks = [
        f"<h1>{_safe(doc.title)}</h1>",
        f"<p><code>{doc.code}</code> · {_safe(doc.kind)}</p>",
        f"<blockquote>{_safe(doc.message)}</blockquote>",
        f"<h2>{_safe(_('This breaks the rule'))}</h2>",
        _code(doc.fails),
        f"<p>{_safe(doc.fields)}</p>" if doc.fields else "",
        f"<h2>{_safe(_('This keeps it'))}</h2>",
        _code(doc.passes),
        f"<h2>{_safe(_('The fix'))}</h2>",
        f"<p>{_safe(_fix(doc))}</p>",
    ]
    return "\n".join(filter(None, blocks))


def _problem(rule: AnyRule, example: Example) -> Problem:
    if is_array(example.batch_items):
        layout = read(example.batch_items, sequential_keys())
        problems = LayoutChecker(example.fields, example.ids).check(layout)
    else:
        problems = check_json(example.batch_items)
    return next(problem for problem in problems if problem.code == rule.code)


def consequence_text(rule: AnyRule) -> str:
    """The consequence of breaking a rule, for the user."""
    if rule.rejection is RejectionStatus.ITEM:
        return _("Error: the service rejects the item.")
    if rule.rejection is RejectionStatus.SHAPE:
        return _("Error: the service rejects the whole layout.")
    return _("Hint: the service accepts it, but it is probably not intended.")


def _fix(doc: RuleDoc) -> str:
    if doc.fix:
        return _("One click: “{label}”.").format(label=doc.fix)
    return _("No automatic fix: only you know what is intended.")


def _fields(example: Example) -> str:
    """The fields of the dataset, if the example depends on them."""
    if example.fields is SchemaUnavailable.UNKNOWN:
        return ""
    if example.fields is SchemaUnavailable.COLLECTION:
        return _("The layout is a collection.")
    if example.fields is SchemaUnavailable.NONE or not example.fields.fields:
        return _("No dataset with a schema is attached.")
    listed = ", ".join(f"{name} ({field.type.value})" for name, field in example.fields.fields.items())
    return _("The dataset has these fields: {fields}.").format(fields=listed)


def _shown(example: Example) -> str:
    """The JSON of an example; of a single page with one column and no other attributes, only its items."""
    batch_items = inner = _abridged(example.batch_items)
    for name in ("rows", "columns", "items"):
        if not is_array(inner) or len(inner) != 1 or not is_object(inner[0]) or set(inner[0]) != {name}:
            return _written(batch_items)
        inner = inner[0][name]
    if not is_array(inner) or not inner:
        return _written(batch_items)
    return ",\n".join(map(_written, inner))


def _abridged(value: Json) -> Json:
    """The value with long texts and lists shortened."""
    if isinstance(value, str):
        return truncate(value, _LONGEST_TEXT) if len(value) > _LONGEST_TEXT else value
    if is_array(value):
        return [*map(_abridged, value[:_MAX_ENTRIES]), *["…"] * (len(value) > _MAX_ENTRIES)]
    if is_object(value):
        return {key: _abridged(inner) for key, inner in value.items()}
    return value


def _written(value: Json, indent: str = "") -> str:
    """Indented JSON; short values are on one line."""
    line = to_json(value)
    deeper = indent + "  "
    if len(line) <= _SHORT or not value:
        return line
    if is_object(value):
        pairs = [f"{to_json(key)}: {_written(inner, deeper)}" for key, inner in value.items()]
        return _lines("{", pairs, "}", indent)
    if is_array(value):
        return _lines("[", [_written(inner, deeper) for inner in value], "]", indent)
    return line


def _lines(first: str, entries: list[str], last: str, indent: str) -> str:
    return f"{first}\n" + ",\n".join(f"{indent}  {entry}" for entry in entries) + f"\n{indent}{last}"


def _code(text: str) -> str:
    """HTML for code that keeps its indentation and wraps on a narrow page."""
    lines = [_safe(line).replace("  ", "\u00a0 ") for line in text.splitlines()]
    return f"<p><samp>{'<br>'.join(lines)}</samp></p>"


def _safe(text: str) -> str:
    return html.escape(text, quote=False)
