#!/bin/sh
# Does what the page for IT staff says, as root on a system with the installed package: check-it-page.sh PAGE USER
# PAGE is the page in the help of the program, USER has the sample study in the folder `studies`.
set -eu
page=$1
user=$2
policy=/etc/batchwright/policy.toml
check='batchwright-cli check studies/layout.json --schema studies/schema.json'

# Runs a command as the user; succeeds if its exit code is the first argument and its messages contain the second.
expect() {
    code=0
    messages=$(su -s /bin/sh - "$user" -c "$3" 2>&1 >/dev/null) || code=$?
    echo "$3: $code ${messages:+($messages)}"
    [ "$code" -eq "$1" ] || { echo "The exit code is not $1." >&2; exit 1; }
    case "$messages" in *"$2"*) ;; *) echo "“$2” is not in the messages." >&2; exit 1 ;; esac
}

# Checks the sample layout; fails if there is a message about the policy.
expect_policy() {
    expect 0 "" "$check"
    [ "$messages" = "No problems." ] || { echo "There is a message about the policy." >&2; exit 1; }
}

# Prints the commands of the page that begin with some words.
commands() {
    sed -n "s/^\($1.*\)/\1/p" "$page"
}

echo "== the policy of the page"
mkdir -p /etc/batchwright
sed -n '/^```toml$/,/^```$/{/^```/!p}' "$page" >"$policy"
[ -s "$policy" ]
expect_policy
expect 0 "" 'batchwright-cli rehearse --layout studies/layout.json --schema studies/schema.json --data studies/records.csv --participants 4 --tasks-per-group 5 --out rehearsed'
expect 2 "Set by your IT staff in $policy" 'batchwright-cli analyse rehearsed/export.zip --layout studies/layout.json --out without'
expect 0 "" 'batchwright-cli analyse rehearsed/export.zip --layout studies/layout.json --out with --pseudonyms key.csv'
expect 2 "Only the service at https://api.prolific.com is allowed" \
    'echo x >token; batchwright-cli rehearse --layout studies/layout.json --schema studies/schema.json --data studies/records.csv --url https://example.org --workspace 6655b8281cc82a88996f0bbb --token-file token --out elsewhere'
expect 1 "Permission denied" "echo >>$policy || exit 1"

echo "== files that do not apply"
printf '[lock]\nproxy = "system"\nprxy = 1\n' >"$policy"
expect 0 "$policy, line 3: “prxy” is not a key of policies. The policy does not apply" "$check"
printf '[lock]\nproxy = "system"\n' >"$policy"
chmod go+w "$policy"
expect 0 "Other users can change $policy" "$check"
chown "$user" /etc/batchwright
expect 0 "Other users can change $policy" "$check"
chmod go-w "$policy"
expect 0 "/etc/batchwright does not belong to an administrator" "$check"
eval "$(sed -n 's/.*`\(chown root [^`]*\)`.*/\1/p' "$page")"
expect_policy
rm -r /etc/batchwright

echo "== the data of the local service"
commands 'batchwright-cli service-data' | while read -r command; do
    case "$command" in
        *delete-* | *deletions*) expect 1 "" "$command" ;; # there is nothing yet
        *) expect 0 "" "$command" ;;
    esac
done
[ -s "/home/$user/backup.zip" ]

echo "== folders"
for folder in .local/share/Batchwright .cache/Batchwright; do
    [ -d "/home/$user/$folder" ]
    ls -d "/home/$user/$folder"
done
su -s /bin/sh - "$user" -c 'rm -r rehearsed with key.csv token backup.zip'
