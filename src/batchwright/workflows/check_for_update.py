"""The update check: fetches the number of the latest version. It downloads and installs nothing."""

from batchwright.api.latest_version import LatestVersion, fetch_latest_version
from batchwright.base.network_settings import NetworkSettings
from batchwright.base.program_info import program_version


async def check_for_update(url: str, network: NetworkSettings) -> LatestVersion | None:
    """The latest version; None if this copy is at least as new.

    Raises:
        ApiError: no response was received, or it contains no version.
    """
    latest = await fetch_latest_version(url, network)
    return latest if latest.is_newer_than(program_version()) else None
