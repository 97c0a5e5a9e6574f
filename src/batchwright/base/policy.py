"""The policy of this computer: settings that IT staff preset or lock in a file.

The file of the system has precedence over one beside the program, and only one of them is read: a copy of
the program that a user brings along is bound by the system's file, too. No environment variable moves the
first, not even those with the folders of the system, because users set these as they like.

A file with an error does not apply at all: nobody has written and tried what would remain of it. Nor does one
that others than administrators can change: it sets proxy, certificates and folders of all users.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit

from batchwright.base.files.file_access import access_problem
from batchwright.base.i18n import N_, _, is_language_tag
from batchwright.base.network_settings import NetworkSettings, proxy_error
from batchwright.base.urls import is_base_url, is_https_url

T = TypeVar("T")

POLICY_FILE = "policy.toml"
_PRESET, _LOCK = "preset", "lock"
_LARGEST = 64 * 1024
_SYSTEM_PROXY = "system"
_MOST_DAYS = 36500
_PROGRAM_DATA = 0x23
"""The number of the folder `%ProgramData%` in the functions of Windows."""
_LONGEST_PATH = 260
_TOML_LINE = re.compile(r"at line ([0-9]+)")
_HEADER = re.compile(r"""\s*\[+\s*["']?([^\s"'.\]]*)""")


@dataclass(frozen=True)
class PolicyKey(Generic[T]):
    """A setting that a policy can preset or lock."""

    name: str
    """The key in the file."""
    title: str
    """What it is, for people."""
    kind: str
    """What the value must be, as the end of “… must be”."""
    parse: Callable[[object], T]
    """Returns the value for what the file contains. It raises `ValueError` if that is of another kind."""


def _text(value: object) -> str:
    if not isinstance(value, str) or not value or not value.isprintable():
        raise ValueError
    return value


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _days(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= _MOST_DAYS:
        raise ValueError
    return value


def _service_url(value: object) -> str:
    url = _text(value)
    if not is_https_url(url) or not is_base_url(url):
        raise ValueError
    return url.rstrip("/")


def _proxy(value: object) -> str:
    url = _text(value)
    if url == _SYSTEM_PROXY:
        return ""
    if proxy_error(url):
        raise ValueError
    return url


def _path(value: object) -> str:
    try:
        path = Path(_text(value)).expanduser()
    except RuntimeError:  # there is no home folder
        raise ValueError from None
    if not path.is_absolute():
        raise ValueError
    return str(path)


def _language(value: object) -> str:
    if not is_language_tag(tag := _text(value)):
        raise ValueError
    return tag


def _comparable(url: str) -> tuple[str, str, str]:
    """A URL without what does not matter: case of the host, slashes at the end."""
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower(), parts.path.rstrip("/")


_PATH_KIND = N_("the full path of a folder, or one that starts with “~”, the home folder of the user")

SERVICE_URL = PolicyKey(
    "service-url",
    N_("URL of the hosted service"),
    N_("an https URL without user name and query"),
    _service_url,
)
WORKSPACE = PolicyKey("workspace", N_("Workspace"), N_("the id of a workspace"), _text)
PROXY = PolicyKey(
    "proxy",
    N_("Proxy"),
    N_("“system”, or a URL such as http://proxy.example.org:8080 without user name and password"),
    _proxy,
)
PROXY_USER = PolicyKey("proxy-user", N_("User name for the proxy"), N_("a text"), _text)
CERTIFICATES = PolicyKey(
    "certificates",
    N_("Certificates to trust"),
    N_("the full path of a file in PEM format, or one that starts with “~”, the home folder of the user"),
    _path,
)
LANGUAGE = PolicyKey("language", N_("Language"), N_("the code of a language, such as en or pt-BR"), _language)
UPDATE_CHECK = PolicyKey("update-check", N_("Update check"), N_("true or false"), _switch)
FILES_FOLDER = PolicyKey("files-folder", N_("Folder in which file dialogs start"), _PATH_KIND, _path)
HOME = PolicyKey("home", N_("Folder for data, cache and log"), _PATH_KIND, _path)
PSEUDONYMS = PolicyKey("pseudonyms", N_("Save answers with pseudonyms"), N_("true or false"), _switch)
RETENTION_DAYS = PolicyKey(
    "retention-days",
    N_("Days until unused rehearsals are deleted"),
    N_("a whole number from 1 to 36500"),
    _days,
)

POLICY_KEYS: tuple[PolicyKey[Any], ...] = (
    SERVICE_URL,
    WORKSPACE,
    PROXY,
    PROXY_USER,
    CERTIFICATES,
    LANGUAGE,
    UPDATE_CHECK,
    FILES_FOLDER,
    HOME,
    PSEUDONYMS,
    RETENTION_DAYS,
)
"""All keys, in the order in which the page for IT staff lists them."""
_KEYS = {key.name: key for key in POLICY_KEYS}


@dataclass(frozen=True)
class Policy:
    """What a policy presets and locks; nothing if there is none, or if its file has an error."""

    path: Path | None = None
    """The file; None if there is none."""
    presets: Mapping[str, object] = field(default_factory=dict)
    """Valid values by the name of their key, as in the file. They apply until the user chooses others."""
    locks: Mapping[str, object] = field(default_factory=dict)
    """Valid values by the name of their key, as in the file. They apply always."""
    problem: str = ""
    """The error in the file, with its line, in a sentence; empty if there is none."""

    def preset(self, key: PolicyKey[T]) -> T | None:
        """The preset value of a key; None if there is none."""
        return key.parse(self.presets[key.name]) if key.name in self.presets else None

    def locked(self, key: PolicyKey[T]) -> T | None:
        """The locked value of a key; None if the user can choose."""
        return key.parse(self.locks[key.name]) if key.name in self.locks else None

    def service_reason(self, url: str, workspace_id: str) -> str:
        """Why nothing may be sent to a hosted service or to one of its workspaces; empty if it may."""
        allowed, workspace = self.locked(SERVICE_URL), self.locked(WORKSPACE)
        if allowed is not None and _comparable(url) != _comparable(allowed):
            text = _("Only the service at {name} is allowed on this computer. {reason}")
            return text.format(name=allowed, reason=self.lock_reason(SERVICE_URL))
        if workspace is not None and workspace_id not in ("", workspace):
            text = _("Only the workspace {name} is allowed on this computer. {reason}")
            return text.format(name=workspace, reason=self.lock_reason(WORKSPACE))
        return ""

    @property
    def network(self) -> NetworkSettings:
        """The proxy and the certificates for commands, which have no settings of the user."""
        proxy, certificates, user = (
            self.locked(key) or self.preset(key) or "" for key in (PROXY, CERTIFICATES, PROXY_USER)
        )
        return NetworkSettings(proxy, certificates, user)

    @property
    def retention_days(self) -> int | None:
        """The days after which the service on this computer deletes what is not used; None to keep it."""
        return self.locked(RETENTION_DAYS) or self.preset(RETENTION_DAYS)

    @property
    def pseudonyms_reason(self) -> str:
        """Why answers may only be saved with pseudonyms of participants; empty if that is up to the user."""
        return self.lock_reason(PSEUDONYMS) if self.locked(PSEUDONYMS) else ""

    @property
    def raw_answers_reason(self) -> str:
        """Why files of the service, which contain ids of participants, cannot be saved; empty if they can."""
        if not self.pseudonyms_reason:
            return ""
        text = _("Answers are saved with pseudonyms only: use “Save results”. {reason}")
        return text.format(reason=self.pseudonyms_reason)

    def lock_reason(self, key: PolicyKey[Any]) -> str:
        """Why a setting cannot be changed; empty if it can."""
        return _("Set by your IT staff in {path}").format(path=self.path) if key.name in self.locks else ""

    @property
    def notice(self) -> str:
        """The error in the file, and what follows from it; empty if there is none."""
        if not self.problem:
            return ""
        return _("{problem} The policy does not apply; tell your IT staff.").format(problem=self.problem)


NO_POLICY = Policy()
"""Everything can be chosen by the user."""


def policy_paths() -> tuple[Path, ...]:
    """The files that are looked for; the first one that exists is read."""
    return system_policy_path(), _folder_of_program() / POLICY_FILE


def system_policy_path() -> Path:
    """The file in the folder of the system.

    On Windows, IT staff have to create its folder, so that only administrators can change it.
    """
    if sys.platform == "win32":
        import ctypes  # only Windows needs it  # noqa: PLC0415

        program_data = ctypes.create_unicode_buffer(_LONGEST_PATH)  # users can set the variable ProgramData
        ctypes.windll.shell32.SHGetFolderPathW(None, _PROGRAM_DATA, None, 0, program_data)
        return Path(program_data.value or r"C:\ProgramData") / "Batchwright" / POLICY_FILE
    if sys.platform == "darwin":
        return Path("/Library/Application Support/Batchwright") / POLICY_FILE
    return Path("/etc/batchwright") / POLICY_FILE


@cache
def computer_policy() -> Policy:
    """The policy of this computer, which is read once."""
    found = (read_policy(path) for path in policy_paths())
    return next((policy for policy in found if policy is not None), NO_POLICY)


def read_policy(path: Path) -> Policy | None:
    """Read a policy; None if there is no such file. One with an error has nothing but its problem."""
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
        reason = access_problem(path, is_of_system=path == system_policy_path())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        reason = _("this is a folder") if _is_folder(path) else error.strerror or type(error).__name__
        return _unusable(path, _("The file cannot be read: {reason}.").format(reason=reason))
    if reason:
        return _unusable(path, reason)
    if len(content) > _LARGEST:
        return _unusable(path, _("The file is larger than {count} KB.").format(count=_LARGEST // 1024))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return _unusable(path, _("The file is not encoded in UTF-8."), line)
    return _parsed(path, text)


def _is_folder(path: Path) -> bool:
    """Whether a path is a folder; False if the user may not look there."""
    with suppress(OSError):
        return path.is_dir()
    return False


def _unusable(path: Path, reason: str, line: int | None = None) -> Policy:
    place = _("{path}, line {line}").format(path=path, line=line) if line else str(path)
    return Policy(path, problem=f"{place}: {reason}")


def _parsed(path: Path, text: str) -> Policy:
    import tomllib  # most computers have no policy  # noqa: PLC0415

    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        match = _TOML_LINE.search(str(error))
        line = int(match[1]) if match is not None else text.count("\n") + 1
        has_backslash = "\\" in text.split("\n")[line - 1]
        hint = _("This is not TOML. Write paths with backslashes in single quotes.")
        return _unusable(path, hint if has_backslash else _("This is not TOML."), line)
    problems = sorted(_problems(text, content))
    if problems:
        line, reason = problems[0]
        return _unusable(path, reason, line)
    presets, locks = content.get(_PRESET, {}), content.get(_LOCK, {})
    if not presets and not locks:
        return _unusable(path, _("The file neither presets nor locks anything."))
    return Policy(path, presets, locks)


def _problems(text: str, content: Mapping[str, object]) -> Iterator[tuple[int, str]]:
    """Yield the problems of a file, each with its line."""
    for name, table in content.items():
        if name not in {_PRESET, _LOCK} or not isinstance(table, dict):
            reason = _("“{name}” is not a table of policies: these are [preset] and [lock].")
            yield _line_of(text, "", name), reason.format(name=name)
            continue
        for key, value in table.items():
            if reason := _key_problem(key, value):
                yield _line_of(text, name, key), reason
    presets, locks = content.get(_PRESET), content.get(_LOCK)
    if isinstance(presets, dict) and isinstance(locks, dict):
        for key in presets.keys() & locks.keys():
            yield _line_of(text, _PRESET, key), _("“{key}” is preset and locked.").format(key=key)


def _key_problem(name: str, value: object) -> str:
    """What is wrong with a key and its value; empty if nothing is."""
    key = _KEYS.get(name)
    if key is None:
        if "password" in name or "token" in name:
            return _("“{key}”: passwords and tokens belong in the key ring of each user.").format(key=name)
        return _("“{key}” is not a key of policies.").format(key=name)
    try:
        key.parse(value)
    except ValueError:
        return _("“{key}” must be {kind}.").format(key=name, kind=_(key.kind))
    return ""


def _line_of(text: str, table: str, key: str) -> int:
    """The line of a key in a table, or of a table if `table` is empty; TOML libraries do not tell it."""
    is_key = re.compile(rf"""\s*["']?{re.escape(key)}["']?\s*[.=]""").match
    is_in_dotted = re.compile(rf"""\s*["']?{re.escape(table)}["']?\s*[.=].*{re.escape(key)}""").match
    current = ""
    for number, line in enumerate(text.split("\n"), 1):
        header = _HEADER.match(line)
        if header is not None:
            current = header[1]
            if not table and current == key:
                return number
        elif (current == table and is_key(line)) or (table and not current and is_in_dotted(line)):
            return number
    return 1


def _folder_of_program() -> Path:
    """The folder beside whose files the program is: that of its executable, or of its Python environment."""
    if not getattr(sys, "frozen", False):
        return Path(sys.prefix)
    executable = Path(sys.executable)
    is_bundle = sys.platform == "darwin" and len(executable.parents) > 3
    return executable.parents[3] if is_bundle else executable.parent
