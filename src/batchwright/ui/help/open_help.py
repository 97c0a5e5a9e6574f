"""Opens the help over the window of a study."""

from functools import partial

from batchwright.ui.core.desktop import open_url
from batchwright.ui.help.help_window import HelpWindow
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.shell.view_actions import AppearanceSettings
from batchwright.ui.theme import theme


def open_help(context: StageContext, address: str) -> HelpWindow:
    """Show the help of a window at an address such as `data.md#checks`."""
    window: HelpWindow | None = context.window.findChild(HelpWindow)
    if window is None:
        appearance = AppearanceSettings(theme(), context.settings)
        window = HelpWindow(context.window, partial(open_url, context.notices), appearance.change_text_size)
    window.show_address(address)
    window.show()
    window.raise_()
    window.activateWindow()
    return window
