"""The actions of the File, Edit and Help menus for a study; a new collection is among the collections."""

from itertools import islice

from PySide6.QtGui import QAction, QGuiApplication

from batchwright.base.i18n import N_, _
from batchwright.local.projects import StudyKind
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Condition, Menu, MenuSection, Submenu, condition
from batchwright.ui.program.window_controller import WindowController
from batchwright.ui.study.study_model import Study
from batchwright.ui.study.templates import SAMPLE
from batchwright.ui.widgets.help_button import help_address_of

_OPEN = MenuSection(Menu.FILE, 0)
_COLLECTION = MenuSection(Menu.RUN, 40, Submenu.COLLECTION)
_SAVE = MenuSection(Menu.FILE, 10)
_COPY = MenuSection(Menu.FILE, 10, Submenu.COPY)
_TEMPLATES = MenuSection(Menu.FILE, 10, Submenu.TEMPLATES)
_SERVICES = MenuSection(Menu.FILE, 80)
_CLOSE = MenuSection(Menu.FILE, 90)
_QUIT = MenuSection(Menu.FILE, 99)
_HELP = MenuSection(Menu.HELP, 5)
_RULES = MenuSection(Menu.HELP, 10)
_HISTORY = MenuSection(Menu.EDIT)
_CLIPBOARD = MenuSection(Menu.EDIT, 2)

_MAX_RECENT = 10
_NO_STUDY = N_("Open or create a study first")


@condition(_NO_STUDY)
def _is_open(controller: WindowController) -> bool:
    return controller.study.is_open


async def _export_register(controller: WindowController) -> None:
    """Write all ids that were created or fetched to a file."""
    await controller.files.export_register(await controller.session.id_registry())


async def _open_versions(controller: WindowController) -> None:
    """Show the versions of the study."""
    from batchwright.ui.core.lazy_imports import import_incrementally

    await import_incrementally("batchwright.ui.versions.panel")
    from batchwright.ui.versions.panel import open_versions

    open_store = controller.session.version_store
    await open_versions(controller.context, controller.study, controller.versions, open_store)


async def _save_with_data(controller: WindowController) -> None:
    """Save a copy of the study in one file with its data."""
    library = controller.library
    await library.refresh()
    await controller.files.save_with_data((*library.templates, *library.blocks))


async def _open_help(controller: WindowController) -> None:
    """Show the help where a button has asked for it, or else where the focus is."""
    import asyncio

    from batchwright.ui.core.lazy_imports import import_incrementally

    shell = controller.context.shell
    focused = help_address_of(controller.context.window.focusWidget())
    await import_incrementally("batchwright.ui.help.open_help")
    from batchwright.help.pages import help_pages
    from batchwright.ui.help.open_help import open_help

    await asyncio.to_thread(help_pages)  # which are read once
    requested, shell.help_address = shell.help_address, ""
    open_help(controller.context, requested or focused or f"{shell.stage}.md")


def _open_rules(controller: WindowController) -> None:
    """Show the rules for layouts: those that the layout violates first, scrolled to the current rule."""
    from batchwright.ui.shell.rules_page import open_rules

    violated = [problem.code for problem in controller.study.problems]
    open_rules(controller.context.window, violated, controller.context.shell.current_rule())


async def _open_methods(controller: WindowController) -> None:
    """Show the statistical methods."""
    from batchwright.ui.core.lazy_imports import import_incrementally

    await import_incrementally("batchwright.ui.shell.methods_page")
    from batchwright.ui.shell.methods_page import open_methods

    open_methods(controller.context.window)


FILE: tuple[Action[WindowController], ...] = (
    Action[WindowController](
        ActionId.NEW,
        N_("New study"),
        lambda controller: controller.files.new(),
        _OPEN,
        "file-plus",
        shortcut="Ctrl+N",
    ),
    Action[WindowController](
        ActionId.NEW_COLLECTION,
        N_("New collection"),
        lambda controller: controller.files.create(StudyKind.COLLECTION),
        _COLLECTION,
        "cards",
    ),
    Action[WindowController](
        ActionId.OPEN,
        N_("Open a study…"),
        lambda controller: controller.files.choose_and_open(),
        _OPEN,
        "folder-open",
        shortcut="Ctrl+O",
    ),
    Action[WindowController](
        ActionId.OPEN_DATA,
        N_("Open a data file…"),
        lambda controller: controller.files.choose_and_open_data(),
        _OPEN,
        "table",
        shortcut="Ctrl+Shift+O",
    ),
    Action[WindowController](
        ActionId.PASTE_TABLE,
        N_("Paste a table"),
        lambda controller: controller.context.shell.open_content(QGuiApplication.clipboard().mimeData()),
        _CLIPBOARD,
        "clipboard-text",
        shortcut="Ctrl+Alt+V",
    ),
    Action[WindowController](
        ActionId.OPEN_RECENT,
        N_("Open recent"),
        lambda _controller: None,
        _OPEN,
        "clock",
        entries=lambda controller: islice(controller.recent_studies(), _MAX_RECENT),
    ),
    Action[WindowController](
        ActionId.TRY_SAMPLE,
        N_("Try the sample study"),
        lambda controller: controller.open_template(SAMPLE),
        _OPEN,
        "play-circle",
    ),
    Action[WindowController](
        ActionId.NEW_WINDOW,
        N_("New window"),
        lambda controller: controller.windows.open_window(),
        _OPEN,
        "monitor",
        shortcut="Ctrl+Shift+N",
    ),
    Action[WindowController](
        ActionId.SAVE,
        N_("Save"),
        lambda controller: controller.files.save(),
        _SAVE,
        "floppy-disk",
        Condition(
            lambda controller: controller.study.is_open and not controller.study.is_saved,
            N_("There is nothing to save"),
        ),
        "Ctrl+S",
    ),
    Action[WindowController](
        ActionId.SAVE_AS,
        N_("Save as…"),
        lambda controller: controller.files.save_as(),
        _SAVE,
        "floppy-disk",
        _is_open,
        "Ctrl+Shift+S",
    ),
    Action[WindowController](
        ActionId.SAVE_WITH_DATA,
        N_("Save with data…"),
        _save_with_data,
        _COPY,
        "floppy-disk",
        _is_open,
    ),
    Action[WindowController](
        ActionId.VERSIONS,
        N_("Versions…"),
        _open_versions,
        _SAVE,
        "clock-counter-clockwise",
        _is_open,
        "Ctrl+Shift+V",
    ),
    Action[WindowController](
        ActionId.SAVE_TEMPLATE,
        N_("Save as a template…"),
        lambda controller: controller.library.save_template(controller.study.project),
        _TEMPLATES,
        "file-text",
        _is_open,
    ),
    Action[WindowController](
        ActionId.IMPORT_LIBRARY,
        N_("Import a template or block…"),
        lambda controller: controller.library.choose_and_import(),
        _TEMPLATES,
        "upload-simple",
    ),
    Action[WindowController](
        ActionId.EXPORT_LAYOUT,
        lambda controller: (
            _("Save the pages as JSON or YAML…")
            if controller.study.is_collection
            else _("Export the layout…")
        ),
        lambda controller: controller.files.export_layout(),
        _COPY,
        "brackets-curly",
        _is_open,
    ),
    Action[WindowController](
        ActionId.CONVERT,
        lambda controller: (
            _("Convert to a batch…") if controller.study.is_collection else _("Convert to a collection…")
        ),
        lambda controller: controller.files.convert(),
        _SAVE,
        "arrows-clockwise",
        _is_open,
    ),
    Action[WindowController](
        ActionId.EXPORT_REGISTER, N_("Export the id registry…"), _export_register, _SERVICES, "list-numbers"
    ),
    Action[WindowController](
        ActionId.ADD_CONNECTION, N_("Add a connection…"), WindowController.add_connection, _SERVICES, "link"
    ),
    Action[WindowController](
        ActionId.CLOSE_STUDY,
        N_("Close the study"),
        lambda controller: controller.files.close(),
        _CLOSE,
        "x",
        _is_open,
    ),
    Action[WindowController](
        ActionId.QUIT,
        N_("Quit"),
        lambda controller: controller.windows.quit(),
        _QUIT,
        "sign-out",
        role=QAction.MenuRole.QuitRole,
        shortcut="Ctrl+Q",
    ),
)


HELP: tuple[Action[WindowController], ...] = (
    Action[WindowController](
        ActionId.HELP,
        N_("Help"),
        _open_help,
        _HELP,
        "question",
        shortcut="F1",
    ),
    Action[WindowController](
        ActionId.RULES, N_("Layout rules"), _open_rules, _RULES, "list-bullets", shortcut="Shift+F1"
    ),
    Action[WindowController](ActionId.METHODS, N_("Statistical methods"), _open_methods, _RULES, "chart-bar"),
)


def _undo_text(study: Study) -> str:
    label = study.undo_label
    return _("Undo") if label is None else _("Undo: {action}").format(action=_(label))


def _redo_text(study: Study) -> str:
    label = study.redo_label
    return _("Redo") if label is None else _("Redo: {action}").format(action=_(label))


EDIT: tuple[Action[Study], ...] = (
    Action[Study](
        ActionId.UNDO,
        _undo_text,
        Study.undo,
        _HISTORY,
        "arrow-u-up-left",
        Condition(lambda study: study.undo_label is not None, N_("Nothing to undo")),
        "Ctrl+Z",
    ),
    Action[Study](
        ActionId.REDO,
        _redo_text,
        Study.redo,
        _HISTORY,
        "arrow-u-up-right",
        Condition(lambda study: study.redo_label is not None, N_("Nothing to redo")),
        "Ctrl+Shift+Z",
    ),
)
