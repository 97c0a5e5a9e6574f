#!/bin/sh
# Installs Batchwright for the user who runs this script, without root: ./install.sh [--prefix FOLDER]
# Removes it again:                                                      ./install.sh --uninstall [--prefix FOLDER]
# The default folder is ~/.local. Studies, settings and the data of the local service are never touched.
set -eu

prefix=${HOME}/.local
action=install
while [ $# -gt 0 ]; do
    case $1 in
        --uninstall) action=uninstall ;;
        --prefix)
            [ $# -gt 1 ] || { echo "--prefix needs a folder." >&2; exit 2; }
            shift
            prefix=$1
            ;;
        -h | --help) sed -n '2,4s/^# //p' "$0"; exit 0 ;;
        *) echo "Unknown option: $1. See --help." >&2; exit 2 ;;
    esac
    shift
done
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
case $prefix in
    *[\"\`\$\\%]* | *"
"*) echo "The folder must not contain any of the characters \" \` \$ \\ % or a line break." >&2; exit 2 ;;
esac

here=$(cd "$(dirname "$0")" && pwd)
program=$prefix/lib/batchwright
share=$prefix/share

remove() {
    if [ -f "$program/installed-files" ]; then
        while IFS= read -r file; do
            rm -f "$prefix/$file"
        done < "$program/installed-files"
    fi
    rm -rf "$program"
}

# Desktops find the menu entry, the file type and the icons through these caches.
update_caches() {
    if command -v update-desktop-database >/dev/null; then update-desktop-database -q "$share/applications" || true; fi
    if command -v update-mime-database >/dev/null; then update-mime-database "$share/mime" || true; fi
    if command -v gtk-update-icon-cache >/dev/null; then
        gtk-update-icon-cache -q -t -f "$share/icons/hicolor" 2>/dev/null || true
    fi
}

# The caches are useless when nothing is left that they describe.
remove_unused_caches() {
    if [ -z "$(find "$share/mime/packages" -name "*.xml" 2>/dev/null)" ]; then
        for name in XMLnamespaces aliases generic-icons globs globs2 icons magic mime.cache subclasses treemagic \
            types version; do
            rm -f "$share/mime/$name"
        done
    fi
    if [ -z "$(find "$share/applications" -name "*.desktop" 2>/dev/null)" ]; then
        rm -f "$share/applications/mimeinfo.cache"
    fi
    if [ -z "$(find "$share/icons/hicolor" -name "*.png" -o -name "*.svg" 2>/dev/null)" ]; then
        rm -f "$share/icons/hicolor/icon-theme.cache"
    fi
}

remove_empty_folders() {
    for folder in share/mime share/applications share/metainfo share/icons bin lib; do
        if [ -d "$prefix/$folder" ]; then find "$prefix/$folder" -depth -type d -empty -delete; fi
    done
}

if [ "$action" = uninstall ]; then
    [ -d "$program" ] || { echo "Batchwright is not installed in $prefix." >&2; exit 1; }
    remove
    update_caches
    remove_unused_caches
    remove_empty_folders
    echo "Batchwright has been removed. Your studies and settings are still there."
    exit 0
fi

missing=$(ldd "$here/program/_internal/PySide6/Qt/plugins/platforms/libqxcb.so" | sed -n 's/ => not found//p' | sort -u)
if [ -n "$missing" ]; then
    echo "These libraries are missing; install them with the package manager of your system:" >&2
    echo "$missing" >&2
    exit 1
fi

mkdir -p "$prefix/lib" "$prefix/bin" "$share"
rm -rf "$program.new"
cp -R "$here/program" "$program.new"
remove
mv "$program.new" "$program"
cp "$here/install.sh" "$program/uninstall.sh"
ln -sfn ../lib/batchwright/batchwright "$prefix/bin/batchwright"
ln -sfn ../lib/batchwright/batchwright "$prefix/bin/batchwright-cli"
(cd "$here" && find share -type f | sort) > "$program/installed-files"
while IFS= read -r file; do
    mkdir -p "$prefix/$(dirname "$file")"
    cp "$here/$file" "$prefix/$file"
done < "$program/installed-files"
printf '%s\n' bin/batchwright bin/batchwright-cli >> "$program/installed-files"
# The folder of the program may not be in the search path of the desktop.
started=$(printf '%s' "$prefix/bin/batchwright" | sed 's/[&|]/\\&/g')
sed -i "s|^Exec=batchwright|Exec=\"$started\"|; s|^TryExec=.*|TryExec=$started|" \
    "$share/applications/batchwright.desktop"
update_caches
echo "Batchwright has been installed in $prefix. To remove it: $program/uninstall.sh --uninstall --prefix '$prefix'"
case :$PATH: in
    *":$prefix/bin:"*) ;;
    *) echo "Add $prefix/bin to PATH to use batchwright and batchwright-cli in a terminal." ;;
esac
