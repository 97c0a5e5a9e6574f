"""Installs the packages for Linux in clean places, starts the program from there, tests and uninstalls it.

`python3 packaging/linux_check.py PACKAGE ...` checks packages that exist already. As root and with
`debootstrap`, this happens in a new Debian system, in which only the packages that the program depends on are
installed: first the Debian package, then the archive by a user without root. Otherwise, the Debian package is
only checked by `lintian`, and the archive is installed for a user with an empty home folder on this system.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import analysis_check
from project import BUILD, ROOT, SAMPLE, new_folder

SUITE = "bookworm"
CHECK = Path(__file__).resolve().parent / "linux" / "check-installed.sh"
DESKTOP_PACKAGES = (
    *("xvfb", "xauth", "x11-utils", "xdotool", "openbox", "imagemagick", "xz-utils"),
    *("dbus-daemon", "libglib2.0-bin", "shared-mime-info", "desktop-file-utils", "hicolor-icon-theme"),
)
"""What a desktop has, and what the checks need."""
CHECK_IT_PAGE = CHECK.with_name("check-it-page.sh")
IT_PAGE = ROOT / "resources" / "help" / "en" / "it-staff.md"
SCREENSHOTS = BUILD / "screenshots"


def check_packages(packages: Sequence[Path]) -> None:
    """Check the Debian package and the archive, and whether the manifest of a Flatpak can be read."""
    share = BUILD / "share"
    subprocess.run(["desktop-file-validate", share / "applications" / "batchwright.desktop"], check=True)
    metainfo = share / "metainfo" / "org.batchwright.Batchwright.metainfo.xml"
    subprocess.run(["appstreamcli", "validate", "--no-net", metainfo], check=True)
    deb = next(path for path in packages if path.suffix == ".deb")
    archive = next(path for path in packages if path.suffix == ".xz")
    subprocess.run(["lintian", "--fail-on", "error", "--allow-root", deb], check=True)
    for manifest in (path for path in packages if path.suffix == ".json"):
        subprocess.run(
            ["flatpak-builder", "--show-manifest", manifest], check=True, stdout=subprocess.DEVNULL
        )
    if os.geteuid() == 0 and shutil.which("debootstrap"):
        check_in_new_system(deb, archive)
    else:
        print("The Debian package is not installed: that needs root and debootstrap.", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            check_archive(archive, Path(folder))


def write_samples(folder: Path) -> None:
    """Write the sample study: as files for a rehearsal, and as two study files."""
    folder.mkdir(parents=True)
    for name in ("layout.json", "schema.json", "records.csv"):
        shutil.copy(SAMPLE / name, folder)
    pages = json.loads((SAMPLE / "layout.json").read_text(encoding="utf-8"))
    for name in ("first", "second"):
        study = {"batchwright": 1, "name": name, "batch_items": pages}
        (folder / f"{name}.batchwright").write_text(json.dumps(study), encoding="utf-8")


def check_archive(archive: Path, home: Path) -> None:
    """Install the archive for a user with an empty home folder, check the program, uninstall it."""
    samples = home / "studies"
    write_samples(samples)
    shutil.unpack_archive(archive, home / "unpacked", filter="data")
    installer = next((home / "unpacked").glob("*/install.sh"))
    path = f"{home}/.local/bin{os.pathsep}{os.environ['PATH']}"
    environment = {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8"}
    subprocess.run([installer], env=environment, check=True)
    subprocess.run([CHECK, home / "checked", samples], env=environment, check=True)
    analysis_check.check_files(home / "checked" / "analysis")
    uninstaller = home / ".local/lib/batchwright/uninstall.sh"
    subprocess.run([uninstaller, "--uninstall"], env=environment, check=True)
    print_remaining(home)


def print_remaining(home: Path) -> None:
    """Print what is left below a home folder after the removal, without the files of the check."""
    own = {home / name for name in ("checked", "studies", "unpacked")}
    remaining = sorted(path for path in home.rglob("*") if path.is_file() and not own & set(path.parents))
    print("\n".join(["Remaining files:", *(f"  {path.relative_to(home)}" for path in remaining)]), flush=True)


def check_in_new_system(deb: Path, archive: Path) -> None:
    """Install both packages one after the other in a new Debian system, and check each."""
    root = new_system()
    packages = root / "packages"
    packages.mkdir(exist_ok=True)
    for path in (deb, archive, CHECK, CHECK_IT_PAGE, IT_PAGE):
        shutil.copy(path, packages)
    before = system_files(root)
    run_in(root, f"apt-get install -y -qq --no-install-recommends /packages/{deb.name} >/dev/null")
    check_as_user(root, "ann", f"PATH=$PATH /packages/{CHECK.name} ~/checked ~/studies")
    run_in(root, f"/packages/{CHECK_IT_PAGE.name} /packages/{IT_PAGE.name} ann")
    run_in(root, "apt-get remove -y -qq batchwright >/dev/null")
    remaining = system_files(root) - before
    own = sorted(path for path in remaining if "batchwright" in path.lower())
    print("\n".join(["Remaining files of the package in the system:", *(own or ["  none"])]), flush=True)
    print_remaining(root / "home/ann")
    unpack = (
        f"mkdir -p ~/unpacked && tar -C ~/unpacked -xf /packages/{archive.name} && ~/unpacked/*/install.sh"
    )
    check = f"PATH=~/.local/bin:$PATH /packages/{CHECK.name} ~/checked ~/studies"
    remove = "~/.local/lib/batchwright/uninstall.sh --uninstall"
    check_as_user(root, "bea", f"{unpack} && {check} && {remove}")
    print_remaining(root / "home/bea")


def new_system() -> Path:
    """Create a Debian system with what a desktop has; the downloaded base is used again by later checks."""
    base = BUILD / f"{SUITE}.tar"
    root = new_folder(BUILD / "root")
    if not base.exists():
        print(f"Creating a Debian system ({SUITE}) ...", flush=True)
        subprocess.run(
            ["debootstrap", "--variant=minbase", SUITE, root], check=True, stdout=subprocess.DEVNULL
        )
        names = " ".join(DESKTOP_PACKAGES)
        run_in(
            root, f"apt-get update -qq && apt-get install -y -qq --no-install-recommends {names} >/dev/null"
        )
        run_in(root, "apt-get clean && useradd -m ann && useradd -m bea")
        subprocess.run(["tar", "-C", root, "-cf", base, "."], check=True)
    else:
        subprocess.run(["tar", "-C", root, "-xf", base], check=True)
    return root


def run_in(root: Path, script: str) -> None:
    """Run a shell script in a system, with its own processes and mounts, which end with it."""
    mount = (
        'mount --rbind /dev "$0/dev" && mount -t tmpfs none "$0/dev/shm" && exec chroot "$0" /bin/sh -ec "$1"'
    )
    isolate = ["unshare", "--mount", "--pid", "--fork", f"--mount-proc={root}/proc"]
    environment = {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "LANG": "C.UTF-8",
        "DEBIAN_FRONTEND": "noninteractive",
    }
    subprocess.run([*isolate, "sh", "-ec", mount, root, script], env=environment, check=True)


def check_as_user(root: Path, user: str, script: str) -> None:
    """Run a shell script as a user of a system who has the sample study, and keep the screenshots."""
    home = root / "home" / user
    write_samples(home / "studies")
    run_in(root, f"chown -R {user}:{user} /home/{user} && su -s /bin/sh - {user} -c '{script}'")
    analysis_check.check_files(home / "checked" / "analysis")
    pictures = new_folder(SCREENSHOTS / user)
    for picture in (home / "checked").glob("*.png"):
        shutil.copy(picture, pictures)


def system_files(root: Path) -> set[str]:
    """The files of a system below `/usr` and `/etc`."""
    paths = (path for folder in ("usr", "etc") for path in (root / folder).rglob("*"))
    return {str(path.relative_to(root)) for path in paths}


if __name__ == "__main__":
    check_packages([Path(argument).resolve() for argument in sys.argv[1:]])
