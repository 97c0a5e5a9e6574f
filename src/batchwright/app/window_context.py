"""Builds the controller of a window and its dependencies; imported after the window was painted."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from batchwright.base.environment import with_tokens
from batchwright.base.network_settings import NetworkSettings
from batchwright.client.connection_pool import ConnectionPool
from batchwright.local.autosave import AutosaveStore
from batchwright.local.connections import Connections, credentials_from_env
from batchwright.local.library import Library
from batchwright.local.paths import Folders
from batchwright.local.recent_studies import Recents
from batchwright.local.secrets import TokenStore
from batchwright.ui.connections.controller import CheckAccount, ConnectionsController
from batchwright.ui.core.session import ConnectionSession
from batchwright.ui.core.settings import Settings
from batchwright.ui.core.web_images import FetchImage, WebImages
from batchwright.ui.program.application import OpenWindow
from batchwright.ui.program.window_controller import WindowController, WindowDependencies
from batchwright.ui.study.file.autosave import Autosave
from batchwright.ui.study.file.file_commands import StudyFileCommands
from batchwright.ui.study.library import LibraryCommands
from batchwright.ui.study.study_model import Study
from batchwright.ui.widgets.dialogs.file_dialogs import FileDialogs

if TYPE_CHECKING:  # imported only when an account is checked
    from batchwright.wire.account import User


def connection_pool(
    folders: Folders, settings: Settings, network: Callable[[], Awaitable[NetworkSettings]]
) -> ConnectionPool:
    """Create the pool that opens the connections of the whole program."""
    return ConnectionPool(
        folders,
        TokenStore(),
        longest_poll_s=lambda: settings.longest_poll_s,
        network=network,
    )


def window_context(
    opened: OpenWindow,
    folders: Folders,
    pool: ConnectionPool,
    network: Callable[[], Awaitable[NetworkSettings]],
) -> WindowController:
    """Create the controller of one window."""
    stage_context, host = opened.context, opened.context.window
    study = Study(host)
    connections = ConnectionsController(
        host,
        Connections(folders.data),
        pool,
        _account_check(network),
        environment_credentials=credentials_from_env(with_tokens()),
    )
    session = ConnectionSession(
        pool, connections.connection, connections.sign_in, host, on_signed_out=connections.clear_owner
    )
    dialogs = FileDialogs(host)
    files = StudyFileCommands(
        stage_context, study, Recents(folders.data), dialogs, opened.windows, session.file_bindings
    )
    library = LibraryCommands(stage_context, Library(folders.data), dialogs, files.open_new)
    autosave = Autosave(stage_context, study, AutosaveStore(folders.data), files)
    dependencies = WindowDependencies(
        study,
        session,
        files,
        connections,
        autosave,
        library,
        pool.local_service,
        WebImages(_image_fetcher(network, session, study), stage_context.tasks),
    )
    return WindowController(stage_context, dependencies, opened.windows)


def _account_check(network: Callable[[], Awaitable[NetworkSettings]]) -> CheckAccount:
    async def check(url: str, token: str, workspace_id: str, certificates: str) -> "User":
        from batchwright.workflows.check_account import check_account

        return await check_account(url, token, workspace_id, certificates, await network())

    return check


def _image_fetcher(
    network: Callable[[], Awaitable[NetworkSettings]], session: ConnectionSession, study: Study
) -> FetchImage:
    async def fetch(url: str) -> bytes:
        from batchwright.workflows.load_image import load_image

        return await load_image(url, await network(), session.connection.url, study.media)

    return fetch
