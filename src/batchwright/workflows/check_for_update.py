"""The update check: fetches the news about the latest version. It downloads and installs nothing."""

from batchwright.api.latest_version import LatestVersion, fetch_latest_version
from batchwright.base.network_settings import NetworkSettings
from batchwright.base.program_info import UpdateSource, program_version


async def check_for_update(source: UpdateSource, network: NetworkSettings) -> LatestVersion | None:
    """The latest version; None if this copy is at least as new.

    Raises:
        ApiError: no response was received, or it is not signed with the key of this copy.
    """
    latest = await fetch_latest_version(source, network)
    return latest if latest.is_newer_than(program_version()) else None
