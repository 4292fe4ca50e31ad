
# What there is after an agent has ended, in sections. A section that cannot be told is left out.

probe=${RUN_PROBE-}
if [ -z "$probe" ]; then
    case $0 in
        */*) probe=${0%/*}/probe.txt ;;
    esac
fi
probe=$(given "$probe")

[ -f "$probe" ] && [ -r "$probe" ] || probe=/dev/null

# A value of the probe. The last one counts.
probed() {
    found=
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
            "$1="*) found=${line#*=} ;;
        esac
    done <"$probe"
    printf '%s\n' "$found"
}

# Lines `key=value` alone: the file may have been written to since.
probe_lines() {
    while IFS= read -r line || [ -n "$line" ]; do
        case ${line%%=*} in
            "$line" | '' | *[!a-z0-9_]*) ;;
            *) printf '%s\n' "$line" ;;
        esac
    done <"$probe"
}

# The commit that the contribution starts from: the first of these that the repository has.
start=
source=fallback_head_uncommitted_only
known=yes
head=$(commit HEAD)
first() {
    [ "$source" = fallback_head_uncommitted_only ] && found=$(commit "$2") || return
    source=$1
    start=$found
}
first run_meta "${RUN_START_HEAD-}"
first probe_start_head "$(probed start_head)"
if [ "$source" = fallback_head_uncommitted_only ] && grep '^start_head=$' "$probe" >/dev/null; then
    # The probe says that there was no commit.
    source=probe_start_head
fi
# Images that are built for a task put a commit of their own on top of the base, so the base comes second.
first run_meta_base_commit "${RUN_BASE_COMMIT-}"
first probe_base_commit "$(probed base_commit)"
if [ "$source" = fallback_head_uncommitted_only ]; then
    start=$head
    # Whatever was committed, it is not known since when; unless nothing ever was.
    [ -z "$head" ] || known=no
fi
nothing=$(git hash-object -t tree /dev/null)
range=HEAD
[ -z "$start" ] || range=$start..HEAD

if [ "$probe" != /dev/null ]; then
    printf '===PROBE===\n'
    probe_lines
fi

printf '===BRANCH===\n'
instance=$(probed instance_id)
pair instance_id "${RUN_INSTANCE_ID:-$instance}"
pair start_head "$start"
pair start_head_source "$source"
pair head "$head"
pair branch "$(branch)"
if [ "$known" = no ]; then
    pair n_commits ''
elif [ -z "$head" ]; then
    pair n_commits 0
else
    pair n_commits "$(git rev-list --count "$range")"
fi

patch() {
    git diff-tree -r -p --binary --find-renames --no-color --no-ext-diff --no-textconv \
        --ignore-submodules=none --src-prefix=a/ --dst-prefix=b/ "$@"
}

failed=0
if [ "$known" = yes ]; then
    printf '===LOG===\n'
    if [ -n "$head" ]; then
        git log --format=raw --stat=80 --find-renames --no-color --no-decorate --no-notes --no-use-mailmap \
            --no-show-signature --no-abbrev-commit --no-ext-diff --no-textconv --ignore-submodules=none --encoding=UTF-8 \
            "$range" -- || failed=1
    fi
fi

printf '===STATUS===\n'
git status --porcelain=v1 --untracked-files=normal --ignore-submodules=none --find-renames || failed=1

if [ "$known" = yes ]; then
    printf '===PATCH_COMMITTED===\n'
    if [ -n "$head" ]; then
        patch "${start:-$nothing}" "$head" || failed=1
    fi
fi

# The tree as it stands, by an index and objects of our own: those of the repository stay what they are.
objects=$(cd -- "$(git rev-parse --git-path objects)" && pwd)
index=$(git rev-parse --git-path index)
mkdir -p "$scratch/objects/info"
printf '%s\n' "$objects" >"$scratch/objects/info/alternates"
# With its time: by that git knows which files may have changed since without looking it.
[ ! -f "$index" ] || cp -p "$index" "$scratch/index"
whole() {
    GIT_INDEX_FILE=$scratch/index GIT_OBJECT_DIRECTORY=$scratch/objects
    export GIT_INDEX_FILE GIT_OBJECT_DIRECTORY
    # What cannot be added, such as a repository without a commit inside this one, is left where it is.
    git add --all --ignore-errors -- . 2>"$scratch/fault"
    git write-tree 2>>"$scratch/fault"
}
tree=$(whole) || {
    # An index that cannot be used is as good as none.
    rm -f "$scratch/index"
    tree=$(whole)
}
if [ -n "$tree" ]; then
    printf '===PATCH===\n'
    (
        GIT_OBJECT_DIRECTORY=$scratch/objects
        export GIT_OBJECT_DIRECTORY
        patch "${start:-$nothing}" "$tree" -- . ':(exclude)patch.txt' ':(exclude)*.orig' ':(exclude)*.rej'
    ) || failed=1
else
    say "polc: the tree cannot be read: $(cat "$scratch/fault")"
    failed=1
fi
[ "$failed" = 0 ] || exit 2
exit 0
