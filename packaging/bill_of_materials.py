"""Lists the software that is bundled with the program, as a CycloneDX bill of materials, and its licences.

`python bill_of_materials.py PROGRAM OUT` runs with the Python of the build, whose packages it
reads. A package counts as bundled if one of its modules is in the program.
"""

import json
import platform
import shutil
import sqlite3
import ssl
import subprocess
import sys
import time
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path, PurePath
from urllib.parse import quote

from project import ROOT, VERSION, source_time

LICENCE_NAMES = ("licen", "copying", "notice", "authors")
LICENCE_FOLDERS = ("licenses", "license_files")
NOT_BUNDLED = {"pyinstaller", "pyinstaller-hooks-contrib", "hatchling", "batchwright", "pip"}
"""Tools of the build. The executable contains PyInstaller's boot loader, which is added separately."""

SYSTEM_LICENCE = "see its licence file"
"""Of libraries of the system."""
LICENCES = ROOT / "packaging" / "licences"
"""Licences of what comes without its licence file."""
PROGRAM_LICENCE = "Batchwright.txt"
QT_LICENCES = {name: LICENCES / name for name in ("LGPL-3", "GPL-3")}
PACKAGE_LICENCES = {"PySide6_Essentials": QT_LICENCES, "shiboken6": QT_LICENCES}
"""Licence files of packages that include none."""
ALLOWED = {
    *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "IJG", "LGPL-3.0-only", "MIT"),
    *("MIT-0", "OFL-1.1", "PSF-2.0", "Python-2.0", "Unicode-3.0", "Zlib", "blessing"),
    *("Apache Software License", "BSD License", "MIT License", "Mozilla Public License 2.0 (MPL 2.0)"),
}
"""Licences of what may be bundled with the program: identifiers of SPDX, and names in older packages."""
BOOT_LOADER = "PyInstaller boot loader"
EXCEPTIONS = {BOOT_LOADER: "GPL-2.0-or-later WITH Bootloader-exception"}
"""Components that may be bundled because of an exception in their licence."""


@dataclass(frozen=True)
class Component:
    """Bundled software: name, version, SPDX expression or name of its licence, and licence files by name."""

    name: str
    version: str
    licence: str
    purl: str = ""
    files: Mapping[str, Path] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """The name of its folder below `licences`."""
        return self.name.replace(" ", "-")


def bundled_modules(program: Path) -> set[str]:
    """The names of all top-level modules of the program."""
    from PyInstaller.archive.readers import CArchiveReader

    executable = next(path for path in program.iterdir() if path.is_file() and path.stem == "batchwright")
    reader = CArchiveReader(str(executable))
    archive = next(name for name in reader.toc if name.endswith(".pyz"))
    modules = set(reader.open_embedded_archive(archive).toc)
    internal = program / "_internal"
    return {name.partition(".")[0] for name in modules} | {
        path.name.partition(".")[0] for path in internal.iterdir()
    }


def components(program: Path) -> list[Component]:
    """Everything that is bundled, in the order of names."""
    modules = bundled_modules(program)
    packages = [package_component(found) for found in distributions() if _is_bundled(found, modules)]
    found = [*packages, *native_components(), *system_libraries(program)]
    return sorted(found, key=lambda component: (component.name.lower(), component.version))


def _is_bundled(package: Distribution, modules: set[str]) -> bool:
    if package.metadata["Name"].lower() in NOT_BUNDLED:
        return False
    files = package.files or []
    tops = {file.parts[0].partition(".")[0] for file in files if file.suffix in {".py", ".so", ".pyd"}}
    return bool(tops & modules)


def package_component(package: Distribution) -> Component:
    """An installed package with its licence and the files of it."""
    name = package.metadata["Name"]
    files = {
        "/".join(_below_licences(file)): Path(str(package.locate_file(file)))
        for file in package.files or []
        if ".dist-info" in file.parts[0] and is_licence(file)
    }
    purl = f"pkg:pypi/{name.lower().replace('_', '-')}@{package.version}"
    return Component(name, package.version, _licence(package), purl, files or PACKAGE_LICENCES.get(name, {}))


def is_licence(file: PurePath) -> bool:
    """Whether a file of a package's metadata is a licence, by its folder or its name."""
    return file.parts[1] in LICENCE_FOLDERS or file.name.lower().startswith(LICENCE_NAMES)


def _below_licences(file: PurePath) -> tuple[str, ...]:
    """The path of a licence without the folder of the metadata and that of all licences."""
    return file.parts[2:] if file.parts[1] in LICENCE_FOLDERS else file.parts[1:]


def _licence(package: Distribution) -> str:
    metadata = package.metadata
    if "License-Expression" in metadata:
        return metadata["License-Expression"]
    classifiers = [text for text in metadata.get_all("Classifier") or [] if text.startswith("License ::")]
    if classifiers:
        return " OR ".join(text.rpartition(" :: ")[2] for text in classifiers)
    return metadata["License"].splitlines()[0] if "License" in metadata else "unknown"


def forbidden(found: Iterable[Component]) -> list[Component]:
    """The components whose licence is not in the list of what may be bundled.

    Libraries of the system are left out: their licence files name no licence in a form that can be compared.
    """
    return [
        component for component in found if component.licence != SYSTEM_LICENCE and not _allows(component)
    ]


def _allows(component: Component) -> bool:
    if EXCEPTIONS.get(component.name) == component.licence:
        return True
    choices = component.licence.split(" OR ")
    return any(all(part in ALLOWED for part in choice.split(" AND ")) for choice in choices)


def native_components() -> list[Component]:
    """What is no Python package: Python with its libraries, Qt, the boot loader."""
    qt, loader = distribution("PySide6-Essentials").version, distribution("pyinstaller")
    major, minor = sys.version_info[:2]
    python = Path(sys.base_prefix) / "lib" / f"python{major}.{minor}" / "LICENSE.txt"
    loader_files = package_component(loader).files
    python_files, apache, unicode = (
        _files(python),
        _files(LICENCES / "Apache-2.0"),
        _files(LICENCES / "Unicode"),
    )
    jpeg, webp = (_files(LICENCES / name) for name in ("libjpeg-turbo", "libwebp"))
    inter, phosphor = (_files(ROOT / "resources" / name) for name in ("fonts/OFL.txt", "icons/LICENSE.txt"))
    return [
        Component("Python", platform.python_version(), "Python-2.0", files=python_files),
        Component("OpenSSL", ssl.OPENSSL_VERSION.split()[1], "Apache-2.0", files=apache),
        Component("SQLite", sqlite3.sqlite_version, "blessing"),
        Component("Qt", qt, "LGPL-3.0-only", files=QT_LICENCES),
        Component("ICU (part of Qt)", qt, "Unicode-3.0", files=unicode),
        Component("libjpeg-turbo (part of Qt)", qt, "IJG AND BSD-3-Clause", files=jpeg),
        Component("libwebp (part of Qt)", qt, "BSD-3-Clause", files=webp),
        Component(BOOT_LOADER, loader.version, EXCEPTIONS[BOOT_LOADER], files=loader_files),
        Component("Inter", "4", "OFL-1.1", files=inter),
        Component("Phosphor Icons", "2", "MIT", files=phosphor),
    ]


def _files(path: Path) -> dict[str, Path]:
    return {path.name: path} if path.exists() else {}


def system_libraries(program: Path) -> list[Component]:
    """The packages of the libraries that were taken from the system; only on Debian and Ubuntu."""
    if not shutil.which("dpkg-query"):
        return []
    libraries = (path for path in (program / "_internal").glob("lib*.so*") if not path.is_symlink())
    packages = {package for path in libraries if (package := _owner(path.name)) is not None}
    return [_debian_component(package) for package in sorted(packages)]


def _owner(library: str) -> str | None:
    """The Debian package that contains a library."""
    shown = subprocess.run(
        ["dpkg-query", "--search", f"*-linux-gnu/{library}"], capture_output=True, text=True
    )
    return shown.stdout.partition(":")[0] or None


def _debian_component(package: str) -> Component:
    show = ["dpkg-query", "--show", "--showformat", "${Version}\n", package]
    version = subprocess.run(show, capture_output=True, text=True, check=True).stdout.split()[0]
    copyright_file = Path("/usr/share/doc") / package / "copyright"
    purl = f"pkg:deb/debian/{package}@{quote(version)}"
    return Component(package, version, SYSTEM_LICENCE, purl, _files(copyright_file))


def write_licences(found: list[Component], folder: Path) -> None:
    """Copy the licence files of all components into a folder, and list them for people and the program."""
    lines = ["Batchwright contains the following software.", ""]
    for component in found:
        lines.append(f"{component.name} {component.version}: {component.licence}")
        for name, file in component.files.items():
            target = folder / component.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / "LICENSE", folder / PROGRAM_LICENCE)
    (folder / "README.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    program = {"name": "Batchwright", "version": VERSION, "licence": "MIT", "files": [PROGRAM_LICENCE]}
    listed = json.dumps([program, *map(_listed, found)])
    (folder / "components.json").write_text(listed, encoding="utf-8")


def _listed(component: Component) -> dict[str, object]:
    """What the program reads to show the licence of a component."""
    files = [f"{component.folder}/{name}" for name in sorted(component.files)]
    return {
        "name": component.name,
        "version": component.version,
        "licence": component.licence,
        "files": files,
    }


def bill_of_materials(found: list[Component]) -> dict[str, object]:
    """A CycloneDX document; its serial number depends on its content only."""
    entries = [_entry(component) for component in found]
    content = json.dumps(entries, sort_keys=True)
    timestamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(source_time()))
    program = {"type": "application", "bom-ref": "batchwright", "name": "batchwright", "version": VERSION}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, VERSION + content)}",
        "version": 1,
        "metadata": {"timestamp": timestamp, "component": program},
        "components": entries,
        "dependencies": [
            {"ref": "batchwright", "dependsOn": sorted(str(entry["bom-ref"]) for entry in entries)}
        ],
    }


def _entry(component: Component) -> dict[str, object]:
    reference = component.purl or f"{component.name}@{component.version}"
    entry: dict[str, object] = {
        "type": "library",
        "bom-ref": reference,
        "name": component.name,
        "version": component.version,
        "licenses": [{"license": {"name": component.licence}}],
    }
    return {**entry, "purl": component.purl} if component.purl else entry


def main(program: Path, out: Path) -> None:
    found = components(program)
    if wrong := forbidden(found):
        named = ", ".join(f"{component.name} ({component.licence})" for component in wrong)
        sys.exit(f"These components must not be bundled because of their licence: {named}.")
    write_licences(found, program / "licences")
    document = json.dumps(bill_of_materials(found), indent=1)
    out.write_text(document + "\n", encoding="utf-8")
    print(f"{len(found)} components.")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
