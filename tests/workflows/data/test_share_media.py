"""Records for a hosted service do not refer to media of this computer."""

from pathlib import Path

import pytest

from batchwright.base.local_media import LOCAL_MEDIA
from batchwright.data_files.rows import UnreadableFile
from batchwright.workflows.data.share_media import require_web_addresses


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be"])
@pytest.mark.parametrize("before", [0, (1 << 20) - 20, (1 << 20) - 1, 3 << 20])
async def test_an_address_of_this_computer_is_found_anywhere(
    tmp_path: Path, encoding: str, before: int
) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes((" " * before + f"{LOCAL_MEDIA}1/a.png").encode(encoding))
    with pytest.raises(UnreadableFile):
        await require_web_addresses(path)
    path.write_bytes((" " * before + "https://example.org/1/a.png").encode(encoding))
    await require_web_addresses(path)
