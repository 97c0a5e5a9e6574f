"""The package for group policy on Windows: an MSI that installs for all users of a computer, by `wixl`.

The description of the package is written for each build, since it lists every file. For a program that was
built on Windows: `python3 packaging/windows_msi.py PROGRAM OUT ICONS`, all three are folders.
"""

import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from project import BUILD, ICONS, VERSION, commit, new_folder, reproducible_environment

PUBLISHER = "The Batchwright authors"
FAMILY = uuid.UUID("6f1c3f0e-55a4-4a5b-9d3e-0a3c0f7b9a51")
"""What all versions have in common, so that a newer one replaces an older one. It must never change."""
STUDY = "Batchwright.Study"
ICON, STUDY_ICON = "batchwright.ico", "batchwright-study.ico"
PROGRAM, SOURCE = "program", "batchwright.wxs"
"""Names of the files for `wixl`."""


def create_msi(program: Path, out: Path, icons: Path = ICONS, *, version: str = VERSION) -> Path:
    """Create the package; works on every system that has `wixl`."""
    package = out / f"batchwright-{version}-windows-x86_64.msi"
    folder = new_folder(BUILD / "msi")  # wixl finds files below the current folder only
    (folder / PROGRAM).symlink_to(program.resolve())
    (folder / ICON).symlink_to((icons / ICON).resolve())
    (folder / STUDY_ICON).symlink_to((icons / STUDY_ICON).resolve())
    document = ElementTree(description(program, version))
    indent(document)
    document.write(folder / SOURCE, "utf-8", xml_declaration=True)
    command: list[str | Path] = ["wixl", "--arch", "x64", "--output", package.resolve(), SOURCE]
    subprocess.run(command, check=True, cwd=folder, env=reproducible_environment())
    return package


def description(program: Path, version: str = VERSION) -> Element:
    """The description of the package with the files of a folder."""
    wix = Element("Wix", xmlns="http://schemas.microsoft.com/wix/2006/wi")
    product = SubElement(
        wix,
        "Product",
        Id=identifier(f"version {version} {commit()}"),
        UpgradeCode=str(FAMILY).upper(),
        Name="Batchwright",
        Version=version,
        Manufacturer=PUBLISHER,
        Language="1033",
    )
    SubElement(
        product,
        "Package",
        Id=identifier(f"package {version} {commit()}"),
        Description=f"Batchwright {version}",
        Manufacturer=PUBLISHER,
        InstallerVersion="200",
        Compressed="yes",
        InstallScope="perMachine",
    )
    SubElement(product, "MajorUpgrade", DowngradeErrorMessage="A newer version of Batchwright is installed.")
    SubElement(product, "Media", Id="1", Cabinet="program.cab", EmbedCab="yes")
    SubElement(product, "Icon", Id=ICON, SourceFile=ICON)
    SubElement(product, "Property", Id="ARPPRODUCTICON", Value=ICON)
    target = SubElement(product, "Directory", Id="TARGETDIR", Name="SourceDir")
    programs = SubElement(target, "Directory", Id="ProgramFiles64Folder", Name="PFiles")
    folder = SubElement(programs, "Directory", Id="INSTALLDIR", Name="Batchwright")
    add_files(folder, program, PurePosixPath(PROGRAM))
    add_file(folder, PurePosixPath(STUDY_ICON))
    add_file_type(folder)
    menu = SubElement(target, "Directory", Id="ProgramMenuFolder", Name="Programs")
    add_shortcut(menu)
    feature = SubElement(product, "Feature", Id="Program", Level="1", Title="Batchwright")
    for part in [*product.iter("Component")]:
        SubElement(feature, "ComponentRef", Id=part.attrib["Id"])
    return wix


def add_files(parent: Element, folder: Path, below: PurePosixPath) -> None:
    """Add the files and folders of a folder, whose path for `wixl` is given."""
    for path in sorted(folder.iterdir()):
        inner = below / path.name
        if path.is_dir():
            directory = SubElement(parent, "Directory", Id=key("d", str(inner)), Name=path.name)
            add_files(directory, path, inner)
        else:
            add_file(parent, inner)


def add_file(parent: Element, path: PurePosixPath) -> None:
    """Add a file as a component of its own."""
    file = SubElement(component(parent, str(path)), "File", Id=key("f", str(path)), Source=str(path))
    file.attrib.update(Name=path.name, KeyPath="yes")


def add_file_type(parent: Element) -> None:
    """Add the file type of studies."""
    element = component(parent, "file type")
    program = "[INSTALLDIR]batchwright.exe"
    for number, (path, name, value) in enumerate(file_type_values(program)):
        entry = SubElement(element, "RegistryValue", Id=f"type{number}", Root="HKLM", Type="string")
        entry.attrib.update(Key=f"Software\\Classes\\{path}", Value=value)
        if name:
            entry.attrib["Name"] = name
        if not number:
            entry.attrib["KeyPath"] = "yes"


def file_type_values(program: str) -> Iterator[tuple[str, str, str]]:
    """The entries of the registry for the file type: key below the classes, name, value."""
    yield ".batchwright", "", STUDY
    yield ".batchwright\\OpenWithProgids", STUDY, ""
    yield STUDY, "", "Batchwright study"
    yield f"{STUDY}\\DefaultIcon", "", f"[INSTALLDIR]{STUDY_ICON}"
    yield f"{STUDY}\\shell\\open\\command", "", f'"{program}" "%1"'


def add_shortcut(parent: Element) -> None:
    """Add the entry of the start menu."""
    element = component(parent, "shortcut")
    shortcut = SubElement(element, "Shortcut", Id="shortcut", Name="Batchwright")
    shortcut.attrib.update(Target="[INSTALLDIR]batchwright.exe", WorkingDirectory="INSTALLDIR")
    mark = SubElement(element, "RegistryValue", Id="shortcut_mark", Root="HKLM", KeyPath="yes")
    mark.attrib.update(Key="Software\\Batchwright", Name="Menu", Type="integer", Value="1")


def component(parent: Element, name: str) -> Element:
    """A component, which is installed and removed as a whole."""
    return SubElement(parent, "Component", Id=key("c", name), Guid=identifier(name), Win64="yes")


def key(kind: str, name: str) -> str:
    """The name of an element: the same in all versions."""
    return f"{kind}{uuid.uuid5(FAMILY, name).hex}"


def identifier(name: str) -> str:
    """The GUID of a part of the package."""
    return str(uuid.uuid5(FAMILY, name)).upper()


if __name__ == "__main__":
    create_msi(*map(Path, sys.argv[1:]))
