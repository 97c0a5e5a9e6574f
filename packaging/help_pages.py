"""Writes the pages of the help that are made of the tables of the program.

python packaging/help_pages.py     writes `shortcuts.md` and `rules.md` in `resources/help/en`
"""

import os
from collections.abc import Iterator
from importlib import import_module
from types import SimpleNamespace
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

_PACKAGES = {"layout": "editor"}
"""The packages of stages whose name is not the id of the stage."""


def main() -> None:
    for name, text in pages().items():
        (help_folder() / name).write_text(text, encoding="utf-8", newline="\n")


def pages() -> dict[str, str]:
    """The text of each page by the name of its file."""
    return {"shortcuts.md": _shortcuts(), "rules.md": _rules()}


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
        message = rule_doc(rule).message.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
        lines.append(
            f"| {rule.code} | {rule.title} | {consequence_text(rule)} | {' '.join(message.split())} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
