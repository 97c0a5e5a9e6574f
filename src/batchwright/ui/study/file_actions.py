"""What the File, Edit and Help menus offer for a study (style.md 8)."""

from itertools import islice

from PySide6.QtGui import QAction

from batchwright.base.i18n import _
from batchwright.ui.core.actions import Action, Menu
from batchwright.ui.core.window_controller import Desk
from batchwright.ui.study.study_model import Study
from batchwright.ui.words import later

_OPEN, _SAVE, _CLOSE, _QUIT = 0, 10, 90, 99
_MOST_RECENT = 10
_NO_STUDY = later("Open or make a study first")


def _is_open(desk: Desk) -> bool:
    return desk.study.is_open


FILE: tuple[Action[Desk], ...] = (
    Action[Desk]("new", later("New study"), "Ctrl+N", Desk.new, Menu.FILE, glyph="file-plus", group=_OPEN),
    Action[Desk](
        "open", later("Open a study…"), "Ctrl+O", Desk.open, Menu.FILE, glyph="folder-open", group=_OPEN
    ),
    Action[Desk](
        "open_data",
        later("Open a data file…"),
        "Ctrl+Shift+O",
        Desk.open_data,
        Menu.FILE,
        glyph="table",
        group=_OPEN,
    ),
    Action[Desk](
        "open_recent",
        later("Open recent"),
        "",
        lambda _desk: None,
        Menu.FILE,
        glyph="clock",
        group=_OPEN,
        offers=lambda desk: islice(desk.recent_studies(), _MOST_RECENT),
    ),
    Action[Desk](
        "try_sample",
        later("Try the sample study"),
        "",
        Desk.try_sample,
        Menu.FILE,
        glyph="play-circle",
        group=_OPEN,
    ),
    Action[Desk](
        "new_window",
        later("New window"),
        "Ctrl+Shift+N",
        Desk.new_window,
        Menu.FILE,
        glyph="monitor",
        group=_OPEN,
    ),
    Action[Desk](
        "save",
        later("Save"),
        "Ctrl+S",
        Desk.save,
        Menu.FILE,
        when=lambda desk: desk.study.is_open and not desk.study.is_saved,
        why_not=later("There is nothing to save"),
        glyph="floppy-disk",
        group=_SAVE,
    ),
    Action[Desk](
        "save_as",
        later("Save as…"),
        "Ctrl+Shift+S",
        Desk.save_as,
        Menu.FILE,
        when=_is_open,
        why_not=_NO_STUDY,
        glyph="floppy-disk",
        group=_SAVE,
    ),
    Action[Desk](
        "export_layout",
        later("Export the layout…"),
        "",
        Desk.export_layout,
        Menu.FILE,
        when=_is_open,
        why_not=_NO_STUDY,
        glyph="brackets-curly",
        group=_SAVE,
    ),
    Action[Desk](
        "export_register",
        later("Export the register of ids…"),
        "",
        Desk.export_register,
        Menu.FILE,
        glyph="list-numbers",
        group=80,
    ),
    Action[Desk](
        "add_connection",
        later("Add a connection…"),
        "",
        Desk.add_connection,
        Menu.FILE,
        glyph="link",
        group=80,
    ),
    Action[Desk](
        "close_study",
        later("Close the study"),
        "",
        Desk.close,
        Menu.FILE,
        when=_is_open,
        why_not=_NO_STUDY,
        glyph="x",
        group=_CLOSE,
    ),
    Action[Desk](
        "quit",
        later("Quit"),
        "Ctrl+Q",
        Desk.quit,
        Menu.FILE,
        glyph="sign-out",
        group=_QUIT,
        role=QAction.MenuRole.QuitRole,
    ),
)


HELP: tuple[Action[Desk], ...] = (
    Action[Desk](
        "rules",
        later("The rules on layouts"),
        "F1",
        Desk.open_rules,
        Menu.HELP,
        glyph="list-bullets",
        group=10,
    ),
)


def _undo_text(study: Study) -> str:
    label = study.history.undo_label
    return _("Undo") if label is None else _("Undo: {deed}").format(deed=_(label))


def _redo_text(study: Study) -> str:
    label = study.history.redo_label
    return _("Redo") if label is None else _("Redo: {deed}").format(deed=_(label))


EDIT: tuple[Action[Study], ...] = (
    Action[Study](
        "undo",
        _undo_text,
        "Ctrl+Z",
        Study.undo,
        Menu.EDIT,
        when=lambda study: study.history.undo_label is not None,
        why_not=later("Nothing was changed yet"),
        glyph="arrow-u-up-left",
    ),
    Action[Study](
        "redo",
        _redo_text,
        "Ctrl+Shift+Z",
        Study.redo,
        Menu.EDIT,
        when=lambda study: study.history.redo_label is not None,
        why_not=later("Nothing was undone"),
        glyph="arrow-u-up-right",
    ),
)
