"""The application bundle and the disk image for macOS. Untested: no Mac was at hand."""

import os
import shutil
import subprocess
from pathlib import Path

from project import ROOT, VERSION, new_folder

ENTITLEMENTS = str(ROOT / "packaging" / "mac" / "entitlements.plist")
BUNDLE_ID = "org.batchwright.Batchwright"
STUDY_TYPE = "org.batchwright.study"

INFO_PLIST = {
    "CFBundleDisplayName": "Batchwright",
    "CFBundleShortVersionString": VERSION,
    "CFBundleVersion": VERSION,
    "LSApplicationCategoryType": "public.app-category.productivity",
    "LSMinimumSystemVersion": "13.0",
    "NSHighResolutionCapable": True,
    "NSPrincipalClass": "NSApplication",
    "CFBundleDocumentTypes": [
        {
            "CFBundleTypeName": "Batchwright study",
            "CFBundleTypeRole": "Editor",
            "CFBundleTypeIconFile": "batchwright-study.icns",
            "LSHandlerRank": "Owner",
            "LSItemContentTypes": [STUDY_TYPE],
        }
    ],
    "UTExportedTypeDeclarations": [
        {
            "UTTypeIdentifier": STUDY_TYPE,
            "UTTypeDescription": "Batchwright study",
            "UTTypeConformsTo": ["public.json"],
            "UTTypeIconFile": "batchwright-study.icns",
            "UTTypeTagSpecification": {"public.filename-extension": ["batchwright"]},
        }
    ],
}
"""Entries of `Info.plist` beside those that PyInstaller writes."""


def add_licences(licences: Path, bundle: Path) -> None:
    """Copy the licences into the bundle, which must be signed again then."""
    shutil.copytree(licences, bundle / "Contents" / "Resources" / "licences")
    identity = os.environ.get("BATCHWRIGHT_MAC_IDENTITY", "-")
    sign = ["codesign", "--force", "--options", "runtime", "--entitlements", ENTITLEMENTS, "--sign", identity]
    subprocess.run([*sign, bundle], check=True)


def create_image(program: Path, out: Path) -> Path:
    """Create the disk image with the bundle and a link to the folder of programs.

    With `BATCHWRIGHT_MAC_NOTARY_PROFILE`, the name of a profile that `xcrun notarytool store-credentials` has
    stored, the image is notarised and the ticket is stapled to it.
    """
    bundle = program.parent / "Batchwright.app"
    add_licences(program / "licences", bundle)
    contents = new_folder(bundle.parent / "image")
    bundle.rename(contents / bundle.name)
    (contents / "Applications").symlink_to("/Applications")
    image = out / f"batchwright-{VERSION}-macos-{os.uname().machine}.dmg"
    create: list[str | Path] = ["hdiutil", "create", "-volname", "Batchwright", "-format", "UDZO", "-ov"]
    subprocess.run([*create, "-srcfolder", contents, image], check=True)
    if identity := os.environ.get("BATCHWRIGHT_MAC_IDENTITY"):
        subprocess.run(["codesign", "--sign", identity, "--timestamp", image], check=True)
    if profile := os.environ.get("BATCHWRIGHT_MAC_NOTARY_PROFILE"):
        submit = ["xcrun", "notarytool", "submit", "--keychain-profile", profile, "--wait"]
        subprocess.run([*submit, image], check=True)
        subprocess.run(["xcrun", "stapler", "staple", image], check=True)
    return image
