"""Builds, installs, runs, upgrades and removes the Windows program: `python3 packaging/windows_check.py`.

All of it happens on Debian under Wine, in `build/wine`; `--built` checks what was built before. The home
folder is on drive D:, and the program is installed in a folder with spaces and umlauts. Screenshots are in
`build/screenshots/windows`. The installer that is run is a 64-bit program, made of the same script as the one
for users, which Wine can only run with 32-bit libraries, as `windows_setup_check.py` does.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PureWindowsPath

import start
import system
import windows_build
import windows_msi
import windows_packages
from linux_check import write_samples
from project import BUILD, ROOT, VERSION, new_folder
from windows_build import DIST, PROGRAM
from windows_under_wine import PYTHON
from wine import DRIVE_C, HOME, SERVER, WINE, windows_path, wine_process

DRIVE_D = WINE / "drive_d"
USER = PureWindowsPath("D:/Users/Jürgen Groß")
LOCAL_DATA = USER / "AppData" / "Local"
FOLDER = PureWindowsPath("D:/Größe & Maß/Batch wright")
FOLDER_FOR_ALL = PureWindowsPath("C:/Program Files/Batchwright")
NEWS = "/news.json", "/news.json.minisig"
"""The requests of a check for updates."""
POLICY = PureWindowsPath("C:/ProgramData/Batchwright/policy.toml")
TARGET = "amd64-unicode"
OLD_VERSION = "0.0.1"
OLD_FILE = "_internal/old.txt"
AS_PLAIN_USER = ROOT / "packaging" / "windows" / "as_plain_user.py"
ICONS = windows_build.SOURCE / "build" / "icons"
SCREENSHOTS = BUILD / "screenshots" / "windows"
SHELL_FOLDERS = r"HKCU\Software\Microsoft\Windows\CurrentVersion\Explorer\User Shell Folders"
UNINSTALL = r"Software\Microsoft\Windows\CurrentVersion\Uninstall\Batchwright"
STUDY_TYPE = r"Software\Classes\Batchwright.Study"
SESSION = "BATCHWRIGHT_CHECK_SESSION"
MSI_FAILED = 1603 % 256
"""The exit code of `msiexec` for a package that is refused, of which Linux has the last byte."""
NEWS_S = 20
"""Seconds for a check for updates."""
LIMIT_S = 600
"""Maximum seconds to wait for a window or for a file."""


def main(arguments: list[str]) -> None:
    system.provide("wine")
    if "--built" not in arguments:
        windows_build.main()
    if SESSION not in os.environ:  # with a screen of its own
        session = ["xvfb-run", "-a", "-s", "-screen 0 1440x900x24", sys.executable, __file__, "--built"]
        os.execvpe(session[0], session, {**os.environ, SESSION: "1"})
    with desktop():
        check()


@contextmanager
def desktop() -> Iterator[None]:
    """A window manager; it and Wine end with the block."""
    with subprocess.Popen(["openbox"]) as manager:
        try:
            yield
        finally:
            manager.terminate()
            subprocess.run([SERVER, "--kill"], env={**os.environ, "WINEPREFIX": str(HOME)})


def check() -> None:
    """Check all packages, one after the other."""
    new_home()
    old = older_program()
    setup, older = installers(old)
    check_upgrade(setup, older)
    check_program()
    check_policy()
    check_news()
    check_running(setup)
    check_removal()
    check_refusals(older)
    check_installation_for_all(older)
    check_msi(old)
    check_archive()


def new_home() -> None:
    """Empty drive D:, and put the home folder there."""
    new_folder(DRIVE_D)
    link = HOME / "dosdevices" / "d:"
    link.unlink(missing_ok=True)
    link.symlink_to(DRIVE_D)
    path_of(LOCAL_DATA).mkdir(parents=True)
    for name, value in (("Local AppData", LOCAL_DATA), ("Personal", USER / "Documents")):
        expect(0, "reg", "add", SHELL_FOLDERS, "/v", name, "/d", str(value), "/f")
    write_samples(path_of(USER / "studies"))


def older_program() -> Path:
    """The same program with an older version in its metadata, and with a file that the newer one lacks."""
    old = WINE / "older"
    shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(PROGRAM, old, copy_function=os.link)
    newer = old / "_internal" / f"batchwright-{VERSION}.dist-info"
    metadata = newer.rename(newer.with_name(f"batchwright-{OLD_VERSION}.dist-info")) / "METADATA"
    text = metadata.read_text("utf-8")
    metadata.unlink()  # it is the same file in both folders
    metadata.write_text(text.replace(f"\nVersion: {VERSION}\n", f"\nVersion: {OLD_VERSION}\n", 1), "utf-8")
    (old / OLD_FILE).write_text("of an older version", "ascii")
    return old


def installers(old: Path) -> tuple[Path, Path]:
    """The installers of the program, and of the older one."""
    folder = new_folder(WINE / "installers")
    setup = windows_packages.create_installer(PROGRAM, folder, ICONS, target=TARGET)
    return setup, windows_packages.create_installer(old, folder, ICONS, version=OLD_VERSION, target=TARGET)


def check_upgrade(setup: Path, older: Path) -> None:
    """Install the program over an older version, in a folder with spaces and umlauts."""
    assert install(older, FOLDER) == 0
    assert registered(UNINSTALL, "DisplayVersion") == OLD_VERSION
    assert version_in(FOLDER) == OLD_VERSION
    process = started_window(f"version-{OLD_VERSION}")
    before = files(path_of(FOLDER))
    assert install(setup) == 3
    assert files(path_of(FOLDER)) == before
    assert version_in(FOLDER) == OLD_VERSION
    os.kill(process, signal.SIGTERM)
    wait_until(lambda: install(setup) == 0, "the program has ended")  # in the folder of the older version
    assert registered(UNINSTALL, "DisplayVersion") == VERSION
    assert version_in(FOLDER) == VERSION
    installed, added = files(path_of(FOLDER)), {"uninstall.exe", "batchwright-study.ico"}
    assert installed == files(PROGRAM) | added, installed ^ files(PROGRAM)
    os.kill(started_window(f"version-{VERSION}"), signal.SIGTERM)
    passed(f"Version {VERSION} does not replace version {OLD_VERSION} in {FOLDER} while that is running.")
    passed("It does afterwards, and starts.")


def check_program() -> None:
    """Run the commands of the installed program, with results in a folder with a path of 250 characters."""
    program = FOLDER / "batchwright-cli.exe"
    samples, results = USER / "studies", long_folder(USER)
    assert "FAILED" not in output(program, "self-test")
    study = ("--layout", samples / "layout.json", "--schema", samples / "schema.json")
    simulated = ("--participants", "4", "--tasks-per-group", "5")
    output(program, "rehearse", *study, "--data", samples / "records.csv", *simulated, "--out", results)
    analysis = USER / "analysis"
    output(program, "analyse", results / "export.zip", "--layout", samples / "layout.json", "--out", analysis)
    subprocess.run(
        [start.PYTHON, ROOT / "packaging" / "analysis_check.py", path_of(analysis)], check=True, cwd=ROOT
    )
    passed(
        f"The program tests itself, rehearses into a path of {len(str(results))} characters, and analyses."
    )


def check_policy() -> None:
    """Lock a setting, and write a policy with an error."""
    program, samples = FOLDER / "batchwright-cli.exe", USER / "studies"
    layout = str(samples / "layout.json")
    export = str(long_folder(USER) / "export.zip")
    with policy("[lock]\r\npseudonyms = true\r\n"):
        analyse = ("analyse", export, "--layout", layout, "--out", str(USER / "with-policy"))
        code, text = ended(str(program), *analyse)
        assert (code, "--pseudonyms" in text) == (2, True), text
        output(program, *analyse, "--pseudonyms", USER / "key.csv")
    with policy("[lock]\r\npseudonym = true\r\n"):
        assert "line 2" in output(program, "check", layout)
    passed(f"{POLICY} requires pseudonyms; a key that does not exist is named with its line.")


@contextmanager
def policy(text: str) -> Iterator[None]:
    """A policy of this computer."""
    path = path_of(POLICY)
    path.parent.mkdir(parents=True)
    try:
        path.write_text(text, "utf-8")
        yield
    finally:
        shutil.rmtree(path.parent)


def check_news() -> None:
    """Let the window check for updates, whose news is signed, or was changed afterwards."""
    (build,) = path_of(FOLDER).rglob("build.json")
    former = build.read_bytes()
    for kind, changes in (("signed", []), ("changed", ["changed"])):
        folder, home = USER / f"news-{kind}", USER / f"home-{kind}"
        path_of(folder).mkdir()
        certificate = folder / "organisation.pem"
        text = f"[lock]\nupdate-check = true\ncertificates = '{certificate}'\nhome = '{home}'\n"
        with news_server(path_of(folder), changes) as server, policy(text):
            assert server.stdout is not None
            build.write_text(json.dumps(json.loads(former) | json.loads(server.stdout.readline())), "utf-8")
            process = started_window(f"news-{kind}")
            log = path_of(home / "logs" / "batchwright.log")
            time.sleep(NEWS_S)
            screenshot(f"news-{kind}")
            os.kill(process, signal.SIGTERM)
            requests, _nothing = server.communicate()
            assert tuple(requests.split()) == NEWS, requests
            assert ("UntrustedNews" in log.read_text("utf-8")) == (kind == "changed")
    build.write_bytes(former)
    passed("News is requested by https; news that was changed after it was signed is not accepted.")


@contextmanager
def news_server(folder: Path, changes: Sequence[str]) -> Iterator["subprocess.Popen[str]"]:
    """A server with news, whose input ends with the block."""
    command: list[str | Path] = [start.PYTHON, "packaging/news_server.py", folder, *changes]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as server:
        yield server


def check_running(setup: Path) -> None:
    """Install while the local service is running."""
    with running_service():
        assert install(setup) == 3
    passed("The installer refuses with code 3 while the local service is running.")


def check_removal() -> None:
    """Uninstall the program; what users have put into its folder stays."""
    own = path_of(FOLDER) / "notes.txt"
    own.write_text("of the user", "ascii")
    expect(0, str(FOLDER / "uninstall.exe"), "/S")
    wait_until(lambda: files(path_of(FOLDER)) == {own.name}, "the program is removed")
    for key in (UNINSTALL, STUDY_TYPE, r"Software\Batchwright", r"Software\Classes\.batchwright"):
        assert registered(key) is None, key
    assert not list(path_of(USER).rglob("*.lnk")) + list(DRIVE_C.rglob("Batchwright*.lnk"))
    remaining = sorted(files(path_of(LOCAL_DATA)))
    passed("The program is removed. What remains in the folder for its data:")
    print("\n".join(f"          {name}" for name in remaining), flush=True)


def check_refusals(older: Path) -> None:
    """A folder that cannot be used, and a user who may not install for all."""
    too_long = long_folder(USER / "programs")
    assert install(older, too_long) == 5
    assert not path_of(too_long).exists()
    passed("The installer refuses with code 5 a folder whose path is too long.")
    as_user = (str(PYTHON), windows_path(AS_PLAIN_USER), windows_path(older), "/S", "/ALLUSERS")
    expect(4, *as_user)
    assert not path_of(FOLDER_FOR_ALL).exists()
    passed("The installer refuses with code 4 to install for all without the rights of an administrator.")


def check_installation_for_all(older: Path) -> None:
    """Install for all users, and uninstall."""
    assert install(older, "/ALLUSERS") == 0
    installed = path_of(FOLDER_FOR_ALL)
    assert (installed / "batchwright.exe").exists()
    assert registered(UNINSTALL, "DisplayVersion", root="HKLM") == OLD_VERSION
    assert registered(STUDY_TYPE, root="HKLM") == "Batchwright study"
    assert registered(UNINSTALL) is None
    expect(0, str(FOLDER_FOR_ALL / "uninstall.exe"), "/S")
    wait_until(lambda: not installed.exists(), "the program is removed")
    assert registered(UNINSTALL, root="HKLM") is None
    passed("The installer installs for all users and removes it.")


def check_msi(old: Path) -> None:
    """Install the package for group policy over an older one, run the program, and remove it."""
    (package,) = DIST.glob("*.msi")
    older = windows_msi.create_msi(old, WINE / "installers", ICONS, version=OLD_VERSION)
    installed = path_of(FOLDER_FOR_ALL)
    expect(0, "msiexec", "/i", windows_path(older), "/qn")
    assert version_in(FOLDER_FOR_ALL) == OLD_VERSION
    expect(0, "msiexec", "/i", windows_path(package), "/qn")
    assert files(installed) == files(PROGRAM) | {"batchwright-study.ico"}
    assert version_in(FOLDER_FOR_ALL) == VERSION
    passed(f"The MSI of version {VERSION} replaces that of version {OLD_VERSION}.")
    expect(MSI_FAILED, "msiexec", "/i", windows_path(older), "/qn")
    assert version_in(FOLDER_FOR_ALL) == VERSION
    passed("The MSI of an older version is refused.")
    assert registered(STUDY_TYPE, root="HKLM") == "Batchwright study"
    check_file_type()
    expect(0, "msiexec", "/x", windows_path(package), "/qn")
    assert not installed.exists()
    assert registered(STUDY_TYPE, root="HKLM") is None
    passed("The MSI installs silently for all users and removes it.")


def check_file_type() -> None:
    """Open studies by their file type: Wine 8 finds only those of all users, not those of one."""
    names = ("first", "second")
    for name in names:
        wine_process("start", "/unix", str(path_of(USER / "studies" / f"{name}.batchwright")))
        processes_of_windows([name])
    processes = processes_of_windows(names)
    assert len(processes) == 1, processes
    os.kill(processes.pop(), signal.SIGTERM)
    passed("Studies open by their file type, the second one in the running program.")


def check_archive() -> None:
    """Unpack the portable archive and run it."""
    (archive,) = DIST.glob("*-portable.zip")
    with zipfile.ZipFile(archive) as entries:
        entries.extractall(path_of(USER / "portable"))
    (program,) = path_of(USER / "portable").glob("*/batchwright-cli.exe")
    output(program, "--version")
    assert registered(STUDY_TYPE) is None
    passed("The portable archive runs and registers nothing.")


def install(setup: Path, *options: object) -> int:
    """Run an installer silently; a path is the folder to install in. Returns the exit code."""
    words = [str(option) if isinstance(option, str) else f"/D={option}" for option in options]
    # The folder must not be in quotes, which Wine puts around arguments with spaces.
    return ended(windows_path(setup), "/S", *" ".join(words).split())[0]


def version_in(folder: PureWindowsPath) -> str:
    """The version of the program in a folder, as it states it itself."""
    return output(folder / "batchwright-cli.exe", "--version").strip().removeprefix("batchwright ")


def started_window(picture: str) -> int:
    """Start the installed program, and take a screenshot of its window; returns its process."""
    wine_process(str(FOLDER / "batchwright.exe"))
    (process,) = processes_of_windows(["Batchwright"], picture)
    return process


def output(program: PureWindowsPath | Path, *arguments: object) -> str:
    """Run the program; returns its output."""
    code, text = ended(str(program), *map(str, arguments))
    assert code == 0, text
    return text


def expect(code: int, *command: str) -> None:
    """Run a command that must have this exit code."""
    found, text = ended(*command)
    assert found == code, (command, found, text)


def ended(*command: str) -> tuple[int, str]:
    """The exit code and the output of a command."""
    process = wine_process(*command)
    text, _nothing = process.communicate()
    return process.returncode, text.decode("utf-8", "replace").replace("\r\n", "\n")


@contextmanager
def running_service() -> Iterator[None]:
    """The local service of the installed program."""
    data = str(USER / "service")
    process = wine_process(str(FOLDER / "batchwright-cli.exe"), "serve", "--with-parent", "--data-dir", data)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline().startswith(b'{"url"')
        yield
    finally:
        process.stdin.close()  # it ends with its parent
        process.wait()


def registered(key: str, name: str = "", root: str = "HKCU") -> str | None:
    """A value of the registry; without a name, the value of the key itself. None if there is none."""
    code, text = ended("reg", "query", f"{root}\\{key}", *(("/v", name) if name else ("/ve",)))
    found = re.search(r"REG_\w+ +(.*)$", text, re.MULTILINE)
    return found[1] if code == 0 and found else None


def files(folder: Path) -> set[str]:
    """The paths of all files below a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def long_folder(parent: PureWindowsPath) -> PureWindowsPath:
    """A path of 250 characters below a folder."""
    inner = parent / ("ü" * 100)
    return inner / ("n" * (249 - len(str(inner))))


def path_of(path: PureWindowsPath) -> Path:
    """Where a file of Windows is on this computer."""
    drive = {"C:": DRIVE_C, "D:": DRIVE_D}[path.drive]
    return drive.joinpath(*path.parts[1:])


def processes_of_windows(titles: Sequence[str], picture: str = "") -> set[int]:
    """Wait for windows with these texts in their titles, and take a screenshot; returns their processes."""
    processes: set[int] = set()

    def are_shown() -> bool:
        processes.clear()
        for title in titles:
            search = ["xdotool", "search", "--onlyvisible", "--name", title, "getwindowpid"]
            found = subprocess.run(search, capture_output=True, text=True).stdout.split()
            processes.update(map(int, found))
        return bool(processes)

    wait_until(are_shown, f"a window shows “{titles[-1]}”")
    time.sleep(3)  # until it is painted
    screenshot(picture or "-".join(titles))
    return processes


def screenshot(picture: str) -> None:
    """Take a screenshot of the whole screen."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    subprocess.run(["import", "-window", "root", SCREENSHOTS / f"{picture}.png"], check=True)


def wait_until(condition: Callable[[], bool], what: str) -> None:
    """Wait for a condition; the picture `failed` shows the screen on which it was not met in time."""
    end = time.monotonic() + LIMIT_S
    while not condition():
        if time.monotonic() > end:
            screenshot("failed")
            sys.exit(f"Not within {LIMIT_S} s: {what}.")
        time.sleep(0.2)


def passed(statement: str) -> None:
    print(f"ok      {statement}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
