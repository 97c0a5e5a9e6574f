"""Errors of libraries that write files, as errors of the operating system."""

import errno
import os
import shutil
from pathlib import Path

_ALMOST_FULL_BYTES = 1 << 20


def disk_error(error: Exception, path: Path) -> OSError:
    """The error of a library that could not write a file as an `OSError`.

    Libraries pass on the reason in their message at most, so a disk without space is recognised by itself.
    """
    try:
        is_full = (
            os.strerror(errno.ENOSPC) in str(error)
            or shutil.disk_usage(path.parent).free < _ALMOST_FULL_BYTES
        )
    except OSError:
        is_full = False
    code = errno.ENOSPC if is_full else errno.EIO
    return OSError(code, os.strerror(code), str(path))
