"""Who can change a file that applies to all users of a computer.

On POSIX, that is the owner and whoever may write to the file or its folder. On Windows, files in a folder of
the system can be changed by their owners and by those of the folder, unless IT staff allow more.
"""

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from batchwright.base.i18n import _

_ROOT = 0
_ADMIN_GROUP_OF_MACOS = 80
_TRUSTED_SIDS = frozenset(
    {
        "S-1-5-18",
        "S-1-5-32-544",
        "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464",
    }
)
"""SYSTEM, the group Administrators, and TrustedInstaller."""
_SE_FILE_OBJECT, _OWNER_SECURITY_INFORMATION = 1, 1
_TOKEN_QUERY, _TOKEN_USER = 8, 1


@dataclass(frozen=True)
class PosixAccess:
    """Owner, group and permissions of a file or folder."""

    path: Path
    owner: int
    group: int
    mode: int


def access_problem(path: Path, *, is_of_system: bool) -> str:
    """Why others than administrators can change a file, in a sentence; empty if they cannot.

    Args:
        path: the file, which exists.
        is_of_system: whether it must belong to an administrator; otherwise, it may belong to the owner of its
            folder, who has installed what is there.

    Raises:
        OSError: its owner cannot be found out.
    """
    paths = dict.fromkeys((path, path.parent, path.resolve(), path.resolve().parent))  # also behind a link
    if sys.platform == "win32":
        owners = {of: _owner_on_windows(of) for of in paths}
        installers = {_own_sid()} if _is_administrator() else set()
        return windows_problem(owners, installers if is_of_system else {*installers, owners[path.parent]})
    entries = list(_posix_access(paths))
    installer = next(entry.owner for entry in entries if entry.path == path.parent)
    return posix_problem(entries, {_ROOT} if is_of_system else {_ROOT, installer})


def posix_problem(entries: Iterable[PosixAccess], owners: Iterable[int]) -> str:
    """Why others than some owners can change files, in a sentence; empty if they cannot."""
    trusted = set(owners)
    groups = {_ROOT, _ADMIN_GROUP_OF_MACOS} if sys.platform == "darwin" else {_ROOT}
    for entry in entries:
        if entry.owner not in trusted:
            return _belongs_to_user(entry.path)
        by_group = bool(entry.mode & stat.S_IWGRP) and entry.group not in groups
        if by_group or entry.mode & stat.S_IWOTH:
            return _("Other users can change {path}, and so the policy.").format(path=entry.path)
    return ""


def windows_problem(owners: dict[Path, str], installers: Iterable[str] = ()) -> str:
    """Why others than administrators own files, in a sentence; empty if they do not.

    Args:
        owners: the SID of the owner of each file or folder.
        installers: further SIDs that are trusted.
    """
    trusted = {*_TRUSTED_SIDS, *installers}
    return next((_belongs_to_user(path) for path, owner in owners.items() if owner not in trusted), "")


def _belongs_to_user(path: Path) -> str:
    text = _("{path} does not belong to an administrator, so that its owner could change the policy.")
    return text.format(path=path)


def _posix_access(paths: Iterable[Path]) -> Iterator[PosixAccess]:
    for path in paths:
        status = path.stat()
        yield PosixAccess(path, status.st_uid, status.st_gid, status.st_mode)


if sys.platform == "win32":
    import ctypes

    def _owner_on_windows(path: Path) -> str:
        """The SID of the owner of a file."""
        owner, descriptor = ctypes.c_void_p(), ctypes.c_void_p()
        error = ctypes.windll.advapi32.GetNamedSecurityInfoW(
            ctypes.c_wchar_p(os.fspath(path)),
            _SE_FILE_OBJECT,
            _OWNER_SECURITY_INFORMATION,
            ctypes.byref(owner),
            None,
            None,
            None,
            ctypes.byref(descriptor),
        )
        if error:
            raise ctypes.WinError(error)
        try:
            return _sid_text(owner)
        finally:
            ctypes.windll.kernel32.LocalFree(descriptor)

    def _sid_text(sid: object) -> str:
        text = ctypes.c_wchar_p()
        if not ctypes.windll.advapi32.ConvertSidToStringSidW(sid, ctypes.byref(text)):
            raise ctypes.WinError()
        try:
            return text.value or ""
        finally:
            ctypes.windll.kernel32.LocalFree(text)

    def _own_sid() -> str:
        """The SID of the user of this process."""
        token, size = ctypes.c_void_p(), ctypes.c_ulong()
        process = ctypes.c_void_p(-1)  # this one
        if not ctypes.windll.advapi32.OpenProcessToken(process, _TOKEN_QUERY, ctypes.byref(token)):
            raise ctypes.WinError()
        try:
            information = ctypes.windll.advapi32.GetTokenInformation
            information(token, _TOKEN_USER, None, 0, ctypes.byref(size))
            user = ctypes.create_string_buffer(size.value)
            if not information(token, _TOKEN_USER, user, size, ctypes.byref(size)):
                raise ctypes.WinError()
            return _sid_text(ctypes.c_void_p.from_buffer(user))
        finally:
            ctypes.windll.kernel32.CloseHandle(token)

    def _is_administrator() -> bool:
        """Whether this process has the rights of an administrator."""
        return bool(ctypes.windll.shell32.IsUserAnAdmin())
