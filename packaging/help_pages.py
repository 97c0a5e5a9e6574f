"""Writes the pages of the help that are made of the tables of the program.

python packaging/help_pages.py     writes them in `resources/help/en`, and makes the first use of each term of
                                    the glossary in a page a link to it
"""

import ast
import inspect
import os
import re
import sys
from collections.abc import Container, Iterable, Iterator, Mapping
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from textwrap import wrap
from types import ModuleType, SimpleNamespace
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["BATCHWRIGHT_LANGUAGE"] = "en"  # that of the pages
sys.path.insert(0, str(Path(__file__).resolve().parent))

import help_reference
from batchwright.help.pages import help_folder
from batchwright.layout.checking.documentation import consequence_text, rule_doc
from batchwright.layout.rules import RULES
from batchwright.ui.core.actions import Action, Menu
from batchwright.ui.file_actions import EDIT, FILE, HELP
from batchwright.ui.shell.view_actions import APPEARANCE, WINDOW, stage_actions
from batchwright.ui.stages import stage_table
from batchwright.ui.study.study_model import Study
from batchwright.ui.support.actions import SUPPORT
from batchwright.workflows.messages import api_errors, local_errors, message, workflow_errors
from glossary_links import with_glossary_links

_PACKAGE = Path(__file__).resolve().parents[1] / "src" / "batchwright"
_PACKAGES = {"layout": "editor"}
"""The packages of stages whose name is not the id of the stage."""
_PLACEHOLDER = re.compile(r"\{[^}]*\}")


def main() -> None:
    for name, text in pages().items():
        (help_folder() / name).write_text(text, encoding="utf-8", newline="\n")


def pages() -> dict[str, str]:
    """The text of each page by the name of its file."""
    written = {path.name: path.read_text(encoding="utf-8") for path in help_folder().glob("*.md")}
    made = {
        "shortcuts": _shortcuts(),
        "rules": _rules(),
        "messages": _messages(),
        "it-staff": _it_staff(),
    }
    of_paragraphs = {
        **help_reference.template_pages(),
        "statistics": help_reference.statistics_page(),
        "limits": help_reference.limits_page(),
    }
    made |= {name: _joined(paragraphs) for name, paragraphs in of_paragraphs.items()}
    texts = {**written, **{f"{name}.md": text for name, text in made.items()}}
    return {name: with_glossary_links(name, text) for name, text in texts.items()}


def _joined(paragraphs: Iterable[str]) -> str:
    """Paragraphs as lines; entries of a list have no empty line between them."""
    lines = list[str]()
    for paragraph in paragraphs:
        follows_entry = bool(lines) and lines[-1].startswith(("- ", "  "))
        if lines and not (follows_entry and paragraph.startswith("- ")):
            lines.append("")
        is_whole = paragraph.startswith(("#", "|"))
        lines += [paragraph] if is_whole else _wrapped(paragraph)
    return "\n".join(lines) + "\n"


def _shortcuts() -> str:
    lines = [
        "# Shortcuts",
        "",
        "Everything can be done with the keyboard. Ctrl+K (*Find anything*) finds every command by its name,",
        "and says why one cannot be used now. F6 goes to the next pane, Tab to the next control, F10 to the",
        "menu bar.",
    ]
    rows = [
        (action.section.menu, title(action, subject), action.shortcut)
        for action, subject in actions()
        if action.shortcut
    ]
    for menu in dict.fromkeys(Menu):
        if listed := [f"| {text} | {keys} |" for of, text, keys in rows if of is menu]:
            lines += ["", f"## {menu.value}", "", "| command | shortcut |", "|---|---|", *listed]
    return "\n".join(lines) + "\n"


def actions() -> Iterator[tuple[Action[Any], object]]:
    """Yield all actions with what their texts are about; None if that is in a stage that was not opened."""
    stages, study = stage_table(_unused), Study()
    yield from ((action, SimpleNamespace(study=study)) for action in (*FILE, *HELP))
    others: tuple[Action[Any], ...] = (*EDIT, *stage_actions(stages), *APPEARANCE, *WINDOW, *SUPPORT)
    yield from ((action, study) for action in others)
    for stage in stages:
        if stage.actions is not None:
            package = _PACKAGES.get(stage.id, stage.id)
            for action in import_module(f"batchwright.ui.{package}.actions").ACTIONS:
                yield action, None


def title(action: Action[Any], subject: object) -> str:
    """The text of an action, without the sign for what is asked first."""
    text = action.text if isinstance(action.text, str) else action.text(subject)
    return text.removesuffix("…")


def _unused() -> Any:
    raise AssertionError("no stage is built")


def _rules() -> str:
    lines = [
        "# Layout rules",
        "",
        "The service rejects layouts that break one of these rules; hints are accepted, but probably not",
        "intended. *Help > Layout rules* shows each with an example, first those that your layout breaks.",
    ]
    for rule in sorted(RULES, key=lambda rule: rule.code):
        lines += ["", f"## {_own_anchor(rule.code.casefold())}{rule.code}: {_text(str(rule.title))}"]
        lines += ["", *_wrapped(consequence_text(rule))]
        lines += ["", *_wrapped(f"For example: {_text(rule_doc(rule).message)}")]
    return "\n".join(lines) + "\n"


def _it_staff() -> str:
    """What `packaging/README.md` says about installing and running, so that it is there without a network."""
    readme = (Path(__file__).parent / "README.md").read_text(encoding="utf-8")
    _title, *sections = readme.split("\n## ")
    wanted = takewhile(lambda section: not section.startswith("Building\n"), sections)
    shown = [f"## {section.strip()}" for section in wanted if not section.startswith("What ran where\n")]
    lines = [
        "# For IT staff",
        "",
        "How to install Batchwright, where it stores data, how to lock settings, and how to update and",
        "remove it. What users can do about their data is in [Privacy and security](privacy.md).",
    ]
    return "\n\n".join(["\n".join(lines), *shown]) + "\n"


_MESSAGES = (
    ("The service and the network", api_errors),
    ("This computer", local_errors),
    ("Uploads, batches and results", workflow_errors),
)


def _messages() -> str:
    lines = [
        "# Messages and what to do",
        "",
        "A message says what happened and what to do next; nothing you typed or received is lost. This page",
        "lists them; search it with a few words of the message. … stands for what differs from case to case.",
        "If a message repeats, look at the job in [Jobs](jobs.md), or save a report: see",
        "[Report a fault](privacy.md#report-a-fault).",
    ]
    raised = _texts_of_errors()
    for heading, module in _MESSAGES:
        lines += ["", f"## {heading}"]
        for function in ast.parse(inspect.getsource(module)).body:
            if isinstance(function, ast.FunctionDef) and _is_registered(function, "register"):
                lines += _message_entry(function, raised)
    lines += ["", "## Any other error", *_message_entry(_function(message, "_unexpected"), raised)]
    lines += [
        "",
        "## Fields of a connection",
        "",
        "What stands below a field says what to enter instead.",
        "",
    ]
    for function in ast.parse(inspect.getsource(api_errors)).body:
        if isinstance(function, ast.FunctionDef) and _is_registered(function, "field_error_for"):
            lines += [line for text in _marked_texts(function) for line in _wrapped(f"- {_text(text)}")]
    lines += ["", "## Notices", "", "Notices below the stage say what was not done, and why.", ""]
    lines += [line for text in sorted(_notices()) for line in _wrapped(f"- {text}")]
    return "\n".join(lines) + "\n"


_Raised = Mapping[str, Mapping[str, bool]]
"""The texts of exceptions by the name of their class, and whether each says what happened."""

_TITLES = {
    "unreadable": "A file cannot be read",
    "os-error": "A file cannot be read or written",
    "unusable-database": "The data of Batchwright on this computer cannot be used",
    "damaged": "The data of Batchwright on this computer is damaged",
    "newer-project": "A study was written by a newer Batchwright",
    "not-for-translators": "A file of translators cannot be imported",
    "not-a-study-folder": "A folder contains no study",
    "image-unavailable": "A picture cannot be shown",
    "not-a-project": "A file is no study",
    "not-steps": "Steps cannot be read",
    "not-prepared": "A step cannot be made",
    "not-in-library": "A file is no template or block",
    "not-a-pattern": "A regular expression cannot be used",
    "file-rejected": "A file cannot be sent",
    "edit-rejected": "A change of the layout is not possible",
}
"""Headings of messages whose text comes from an exception, by their anchors."""


def _message_entry(function: ast.FunctionDef, raised: _Raised) -> list[str]:
    """The lines about the messages of a registered function: what each says, and what to do."""
    anchor = message.anchor(function.name)
    calls = [
        node for node in ast.walk(function) if isinstance(node, ast.Call) and _names(node.func) == ["Message"]
    ]
    paragraphs = list[str]()
    for call in calls:
        what, remedy = (map(_text, dict.fromkeys(_marked_texts(part, function))) for part in call.args[:2])
        paragraphs += [*(f"**{text}**" for text in what if text[-1] in ".…"), *remedy]
    paragraphs = list(dict.fromkeys(paragraphs))
    is_own = bool(paragraphs) and paragraphs[0].startswith("**") and anchor not in _TITLES
    if not is_own and anchor not in _TITLES:
        return []
    title = paragraphs.pop(0).strip("*") if is_own else _TITLES[anchor]
    lines = ["", f"### {_own_anchor(anchor)}{title}"]
    for paragraph in paragraphs:
        lines += ["", *_wrapped(paragraph)]
    annotation = function.args.args[0].annotation
    texts = (text for kind in _names(annotation) for text in raised.get(kind, {}).items())
    reasons = [text for text, is_whole in texts if is_whole or is_own]
    if reasons:
        lines += ["", "The reason may be:" if is_own else "What the message says:", ""]
        lines += [line for reason in reasons for line in _wrapped(f"- {_text(reason)}")]
    return lines


def _is_registered(function: ast.FunctionDef, registry: str) -> bool:
    """Whether a decorator puts a function into a registry."""
    return any(
        registry in {getattr(node, "id", ""), getattr(getattr(node, "value", None), "id", "")}
        for node in function.decorator_list
    )


def _function(module: ModuleType, name: str) -> ast.FunctionDef:
    """A function of a module by its name."""
    functions = ast.parse(inspect.getsource(module)).body
    return next(node for node in functions if isinstance(node, ast.FunctionDef) and node.name == name)


def _parsed(folders: Container[str], mark: str) -> Iterator[ast.Module]:
    """The modules of some packages in which a text occurs."""
    for file in sorted(_PACKAGE.rglob("*.py")):
        text = file.read_text(encoding="utf-8") if file.relative_to(_PACKAGE).parts[0] in folders else ""
        if mark in text:
            yield ast.parse(text)


_RAISING = frozenset(
    {"api", "base", "client", "data_files", "layout", "local", "prepare", "schema", "workflows"}
)
"""The packages whose exceptions are described."""


def _texts_of_errors() -> _Raised:
    """The last marked text of each call that creates an exception, or all if the first is a sentence."""
    texts = dict[str, dict[str, bool]]()
    for tree in _parsed(_RAISING, "_("):
        for node in ast.walk(tree):
            kind = "".join(_names(node.func)) if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and kind[:1].isupper() and node.args:
                found = [" ".join(_marked_texts(argument)) for argument in node.args]
                if said := " ".join(filter(None, found)) if found[0].endswith((".", "?")) else found[-1]:
                    texts.setdefault(kind, {})[said] = bool(found[0])
    return texts


def _notices() -> set[str]:
    """The title and the text of each notice that warns, where both stand in the source."""
    found = set[str]()
    for tree in _parsed({"ui"}, "NoticeSeverity."):
        for function in ast.walk(tree):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and len(node.args) > 1 and _warns(node.args[0]):
                    titles, *texts = (list(_marked_texts(part, function)) for part in node.args[1:3])
                    rest = " ".join(_text(text) for part in texts for text in part)
                    found |= {f"**{_text(title)}** {rest}".strip() for title in titles[:1]}
    return found


def _warns(severity: ast.AST) -> bool:
    """Whether an expression may be a severity of notices about what was not done."""
    attributes = {node.attr for node in ast.walk(severity) if isinstance(node, ast.Attribute)}
    return bool(attributes & {"WARNING", "ERROR"})


def _names(node: ast.AST | None) -> list[str]:
    """The names of the classes in an annotation or call."""
    if isinstance(node, ast.BinOp):
        return [*_names(node.left), *_names(node.right)]
    name = getattr(node, "attr", getattr(node, "id", ""))
    return [name] if name else []


def _marked_texts(node: ast.AST, function: ast.AST | None = None) -> Iterator[str]:
    """Yield the marked texts in an expression, and in the values that its names have in a function."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and getattr(inner.func, "id", "") in {"_", "ngettext"}:
            text = inner.args[-2 if len(inner.args) > 2 else 0]
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield text.value
        if isinstance(inner, ast.Name) and function is not None:
            for assigned in ast.walk(function):
                if isinstance(assigned, ast.Assign) and inner.id in _targets(assigned):
                    yield from _marked_texts(_value_of(assigned, inner.id))


def _targets(assigned: ast.Assign) -> list[str]:
    """The names to which something is assigned."""
    (target, *_others) = assigned.targets
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    return [getattr(name, "id", "") for name in names]


def _value_of(assigned: ast.Assign, name: str) -> ast.AST:
    """What is assigned to one of the names."""
    if isinstance(assigned.targets[0], ast.Tuple) and isinstance(assigned.value, ast.Tuple):
        return assigned.value.elts[_targets(assigned).index(name)]
    return assigned.value


def _own_anchor(anchor: str) -> str:
    """What gives a heading a name of its own in links."""
    return f'<a id="{anchor}"></a>'


def _text(text: str) -> str:
    """A text with … for its placeholders, in Markdown."""
    line = " ".join(_PLACEHOLDER.sub("…", text).split())
    return line.replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def _wrapped(text: str) -> list[str]:
    """A paragraph or an entry of a list as lines."""
    indent = "  " if text.startswith("- ") else ""
    options = {"break_long_words": False, "break_on_hyphens": False, "subsequent_indent": indent}
    return wrap(text, 108, **options)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
