#!/bin/bash
# Runs the installers for users under Wine, as Windows of 32 and of 64 bit, in a system that has 32-bit libraries.
# In this folder are `older.exe`, `newer.exe`, Windows' Python in `python`, and `as_plain_user.py`.
set -eu
cd "$(dirname "$0")"
export HOME=/root WINEDEBUG=-all WINEDLLOVERRIDES="mscoree=;mshtml="

prepare() {  # a new home of Wine; $1 is win32 or win64
    export WINEARCH=$1 WINEPREFIX=$HOME/$1
    rm -rf "$WINEPREFIX"
    wine wineboot --init >/dev/null 2>&1
    user=$WINEPREFIX/drive_c/users/$(id -un)/AppData/Local/Programs/Batchwright
    all="$WINEPREFIX/drive_c/Program Files/Batchwright"
}

expect() {  # runs a command that must have the exit code $1; Windows' Python reads pipes only
    wanted=$1
    shift
    wine "$@" < <(sleep 60) 2>&1 | cat >output.txt
    code=${PIPESTATUS[0]}
    [ "$code" = "$wanted" ] || { echo "$*: exit code $code, not $wanted"; cat output.txt; exit 1; }
}

version() {
    wine "$1/batchwright-cli.exe" 2>/dev/null | tr -d '\r'
}

prepare win32
expect 2 newer.exe /S
[ ! -e "$user" ]
echo "ok      code 2: the system has 32 bit"

prepare win64
expect 0 older.exe /S
[ "$(version "$user")" = "batchwright OLDER" ]
wine "$user/batchwright-cli.exe" wait >/dev/null 2>&1 &
sleep 5
expect 3 newer.exe /S
[ "$(version "$user")" = "batchwright OLDER" ]
echo "ok      code 3: Batchwright is running"
wait
expect 0 newer.exe /S
[ "$(version "$user")" = "batchwright NEWER" ]
[ ! -e "$user/_internal/older.txt" ]
echo "ok      code 0: the newer version replaces the older one"
wine "$user/uninstall.exe" /S
wineserver --wait
[ ! -e "$user" ]
echo "ok      it is uninstalled"

expect 4 'python\python.exe' as_plain_user.py 'newer.exe' /S /ALLUSERS
[ ! -e "$all" ]
echo "ok      code 4: /ALLUSERS without the rights of an administrator"
expect 0 newer.exe /S /ALLUSERS
[ "$(version "$all")" = "batchwright NEWER" ]
echo "ok      code 0: it is installed for all users, in the folder of 64-bit programs"
wine "$all/uninstall.exe" /S
wineserver --wait
[ ! -e "$all" ]
expect 5 newer.exe /S "/D=C:\\$(printf 'n%.0s' {1..250})"
echo "ok      code 5: the path of the folder is too long"
