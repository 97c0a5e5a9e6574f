"""What the actions about the program itself need."""

from collections.abc import Callable
from dataclasses import dataclass

from batchwright.local.paths import Folders
from batchwright.local.proxy_passwords import ProxyPasswords
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.widgets.dialogs.file_dialogs import FolderChooser


@dataclass(frozen=True)
class SupportContext:
    """The window, the folders and settings of the program, and the dialogs for folders."""

    context: StageContext
    folders: Folders
    settings: Settings
    proxy_passwords: ProxyPasswords
    dialogs: FolderChooser
    on_network_changed: Callable[[], object]
    """Called when proxy or certificates were changed."""
    find_session: Callable[[], ConnectionSession]
    """The session of the window, which reaches the service on this computer."""
