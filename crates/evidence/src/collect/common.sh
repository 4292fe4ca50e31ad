#!/bin/sh
# Printed by polc. Runs under any POSIX shell, changes nothing in the repository, and needs git.
#
# Whatever shell, options, functions and settings are around it, it must print the same.
set +e +f -u
unalias -a 2>/dev/null
IFS=' 	
'
newline='
'
umask 077
PATH=${PATH:-/usr/local/bin:/usr/bin:/bin}
global=${GIT_CONFIG_GLOBAL-}
for name in $(env | while IFS= read -r line; do
    # A name of a variable alone: what stands in a value of several lines is none.
    case ${line%%=*} in
        GIT_*[!A-Z0-9_]* | GIT_AUTHOR_* | GIT_COMMITTER_*) ;;
        GIT_?*) printf '%s ' "${line%%=*}" ;;
    esac
done); do
    unset "$name"
done
export LC_ALL=C GIT_OPTIONAL_LOCKS=0 GIT_TERMINAL_PROMPT=0

say() {
    printf '%s\n' "$1" >&2
}

# A line `key=value`. What would leave its line is cut.
pair() {
    value=${2%%"$newline"*}
    printf '%s=%s\n' "$1" "$value"
}

git() {
    command git --no-pager --no-replace-objects \
        -c safe.directory='*' -c core.quotePath=true -c core.fsmonitor=false -c core.hooksPath=/dev/null \
        -c color.ui=false -c color.diff=false -c color.status=false -c log.showRoot=true \
        -c diff.suppressBlankEmpty=false -c status.branch=false -c advice.addEmbeddedRepo=false \
        "$@" </dev/null
}

# A folder outside the repository for whatever has to be written.
scratch=$(mktemp -d 2>/dev/null) || scratch=$(TMPDIR=/tmp mktemp -d 2>/dev/null) || {
    scratch=${TMPDIR:-/tmp}/polc.$$
    mkdir "$scratch" || {
        say 'polc: no temporary folder can be made; set TMPDIR to a folder that can be written to'
        exit 2
    }
}
trap 'rm -rf "${scratch:?}"' EXIT
trap 'exit 2' HUP INT TERM

command git --version >/dev/null 2>&1 || {
    say 'polc: there is no git on the PATH; install it in the image'
    exit 2
}

# A path that was given to the script.
given() {
    case $1 in
        /* | '') printf '%s\n' "$1" ;;
        *) printf '%s/%s\n' "$started" "$1" ;;
    esac
}
started=$(pwd)
repository=${RUN_REPOSITORY:-.}
cd -- "$repository" || {
    say "polc: cannot enter $repository; set RUN_REPOSITORY to the folder of the repository"
    exit 2
}

# The repository may belong to another user than the one who runs this. Git takes permission for that from files
# alone, so a file of ours includes those there are. Where they cannot be read, git has to do without them.
quoted() {
    printf '%s' "$1" | sed 's/[\\"]/\\&/g'
}
{
    printf '[safe]\n\tdirectory = *\n'
    if [ -n "$global" ]; then
        printf '[include]\n\tpath = "%s"\n' "$(quoted "$global")"
    else
        printf '[include]\n\tpath = "%s"\n' "$(quoted "${XDG_CONFIG_HOME:-${HOME-}/.config}/git/config")"
        printf '[include]\n\tpath = "%s"\n' "$(quoted "${HOME-}/.gitconfig")"
    fi
} >"$scratch/config"
GIT_CONFIG_GLOBAL=$scratch/config
export GIT_CONFIG_GLOBAL
if ! git rev-parse --git-dir >/dev/null 2>&1; then
    printf '[safe]\n\tdirectory = *\n' >"$scratch/config"
    cp "$scratch/config" "$scratch/.gitconfig"
    GIT_CONFIG_NOSYSTEM=1
    HOME=$scratch
    XDG_CONFIG_HOME=$scratch
    export GIT_CONFIG_NOSYSTEM HOME XDG_CONFIG_HOME
fi
git rev-parse --git-dir >/dev/null 2>"$scratch/fault" || {
    say "polc: git cannot read the repository in $(pwd): $(cat "$scratch/fault")"
    exit 2
}
up=$(git rev-parse --show-cdup 2>/dev/null)
[ -z "$up" ] || cd -- "$up" || exit 2

commit() {
    case $1 in
        '' | -*) return 1 ;;
        *) git rev-parse --quiet --verify "$1^{commit}" 2>/dev/null ;;
    esac
}

branch() {
    git symbolic-ref --quiet --short HEAD 2>/dev/null || printf '(detached)\n'
}
