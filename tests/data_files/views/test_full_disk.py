"""A full disk for temporary files is an error of the system, which the window describes."""

import errno
import subprocess
from pathlib import Path

from tests.service.small_disk import alone_on_disk, needs_disks


@needs_disks
def test_a_store_whose_disk_is_full_says_so(tmp_path: Path) -> None:
    command = alone_on_disk(tmp_path, "size=4m", "tests.data_files.views.full_disk", str(tmp_path))
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == (f"{errno.ENOSPC}\n", "")
