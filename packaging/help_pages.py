"""Writes the pages of the help that are made of the tables of the program.

python packaging/help_pages.py     writes shortcuts, rules and messages in `resources/help/en`
"""

import ast
import inspect
import os
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from batchwright.help.pages import help_folder
from batchwright.layout.checking.documentation import consequence_text, rule_doc
from batchwright.layout.rules import RULES
from batchwright.ui.core.actions import Action, Menu
from batchwright.ui.file_actions import EDIT, FILE, HELP
from batchwright.ui.shell.view_actions import APPEARANCE, WINDOW, stage_actions
from batchwright.ui.stages import stage_table
from batchwright.ui.study.study_model import Study
from batchwright.ui.support.actions import SUPPORT
from batchwright.workflows.messages import api_errors, local_errors, workflow_errors

_PACKAGES = {"layout": "editor"}
"""The packages of stages whose name is not the id of the stage."""
_PLACEHOLDER = re.compile(r"\{[^}]*\}")


def main() -> None:
    for name, text in pages().items():
        (help_folder() / name).write_text(text, encoding="utf-8", newline="\n")


def pages() -> dict[str, str]:
    """The text of each page by the name of its file."""
    return {"shortcuts.md": _shortcuts(), "rules.md": _rules(), "messages.md": _messages()}


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
        "",
        "| rule | what it says | what happens | an example |",
        "|---|---|---|---|",
    ]
    for rule in sorted(RULES, key=lambda rule: rule.code):
        example = _cell(rule_doc(rule).message)
        lines.append(f"| {rule.code} | {rule.title} | {consequence_text(rule)} | {example} |")
    return "\n".join(lines) + "\n"


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
        "lists them. … stands for what differs from case to case. If a message repeats, look at the job in",
        "[Jobs](jobs.md), or save a report: see [Report a fault](privacy.md#report-a-fault).",
    ]
    for heading, module in _MESSAGES:
        lines += ["", f"## {heading}", "", "| message | what to do |", "|---|---|"]
        lines += [f"| {_cell(what)} | {_cell(remedy)} |" for what, remedy in _texts_of(module)]
    return "\n".join(lines) + "\n"


def _texts_of(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Yield what each message of a module says, and its remedy, from the source."""
    for function in ast.parse(inspect.getsource(module)).body:
        values = {
            node.targets[0].id: node.value
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Message":
                what, remedy = (_marked_text(argument, values) for argument in node.args[:2])
                if what and remedy:
                    yield what, remedy


def _marked_text(node: ast.AST, values: Mapping[str, ast.AST]) -> str:
    """The first marked text in an expression, or in the value of a name in it."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and getattr(inner.func, "id", "") in {"_", "ngettext"}:
            text = inner.args[-2 if len(inner.args) > 2 else 0]
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                return text.value
        if isinstance(inner, ast.Name) and (value := values.get(inner.id)) is not None:
            return _marked_text(value, {})
    return ""


def _cell(text: str) -> str:
    """A text with placeholders as a cell of a table."""
    line = " ".join(_PLACEHOLDER.sub("…", text).split())
    return line.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


if __name__ == "__main__":
    main()
