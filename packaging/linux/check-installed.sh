#!/bin/sh
# Starts the installed program as a user does, and tests it: check-installed.sh FOLDER SAMPLES
# Needs Xvfb, a session bus, openbox, xdotool and gio. FOLDER is for screenshots and results, SAMPLES has the files
# of the sample study.
set -eu
export LANG=C.UTF-8

if [ -z "${BATCHWRIGHT_CHECK_SESSION:-}" ]; then
    export BATCHWRIGHT_CHECK_SESSION=1
    exec xvfb-run -a -s "-screen 0 1440x900x24" dbus-run-session -- "$0" "$@"
fi
folder=$1
samples=$2
mkdir -p "$folder"
# On a busy computer, the screen takes connections later than it is started.
for _ in $(seq 100); do
    if xdotool getdisplaygeometry >/dev/null 2>&1; then break; fi
    sleep 0.2
done
openbox &
manager=$!

# Prints the windows with this text in their titles; fails after 60 seconds without one.
wait_for_window() {
    for _ in $(seq 300); do
        if found=$(xdotool search --onlyvisible --name "$1" 2>/dev/null) && [ -n "$found" ]; then
            echo "$found" | tail -n 1
            return 0
        fi
        sleep 0.2
    done
    echo "No window with “$1” in its title appeared." >&2
    return 1
}

# Ends the program; fails if it still runs after 20 seconds.
end() {
    kill "$1"
    for _ in $(seq 100); do
        [ -d "/proc/$1" ] || return 0
        sleep 0.2
    done
    echo "The program did not end." >&2
    return 1
}

screenshot() {
    if command -v import >/dev/null; then sleep 2; import -window root "$folder/$1.png"; fi
}

echo "file type: $(gio info -a standard::content-type "$samples/first.batchwright" | sed -n 's/.*content-type: //p')"
gio mime application/x-batchwright-study | sed -n 1p

entry=
for data in "${XDG_DATA_HOME:-$HOME/.local/share}" $(echo "${XDG_DATA_DIRS:-/usr/local/share:/usr/share}" | tr : ' '); do
    if [ -z "$entry" ] && [ -f "$data/applications/batchwright.desktop" ]; then
        entry=$data/applications/batchwright.desktop
    fi
done
gio launch "$entry" &
window=$(wait_for_window Batchwright)
echo "started by $entry"
screenshot menu
first_process=$(xdotool getwindowpid "$window")

for name in first second; do
    gio open "$samples/$name.batchwright" &
    window=$(wait_for_window "$name")
    [ "$(xdotool getwindowpid "$window")" = "$first_process" ] || { echo "A second process shows $name." >&2; exit 1; }
    echo "opened $name.batchwright in the running program"
    screenshot "$name"
done
xprop -id "$window" WM_CLASS _NET_WM_ICON 2>/dev/null | sed -n '/WM_CLASS/p; s/.*Icon (\(.*\)):.*/icon \1/p' || true
end "$first_process"

gio open "$samples/second.batchwright" &
window=$(wait_for_window second)
echo "opened second.batchwright with the program not running"
end "$(xdotool getwindowpid "$window")"

batchwright-cli --version
timeout 300 batchwright-cli self-test
timeout 300 batchwright-cli rehearse --layout "$samples/layout.json" --schema "$samples/schema.json" \
    --data "$samples/records.csv" --participants 4 --tasks-per-group 5 --out "$folder/rehearsal"
timeout 300 batchwright-cli analyse "$folder/rehearsal/export.zip" --layout "$samples/layout.json" \
    --out "$folder/analysis"
kill "$manager"
