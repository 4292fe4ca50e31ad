
# What there is before an agent begins, as lines `key=value`.

on_path() {
    found=$(command -v "$1" 2>/dev/null)
    case $found in
        /*) pair "$2" "$found" ;;
        *) pair "$2" missing ;;
    esac
}

# Asks for a page: `page` where it was served, `host` where a server answered otherwise, `nothing`, or `no tool`.
ask() {
    if command -v curl >/dev/null; then
        curl --silent --location --fail --output /dev/null --connect-timeout 5 --max-time 15 -- "$1" 2>/dev/null
        case $? in
            0) echo page ;;
            5 | 6 | 7 | 28) echo nothing ;;
            *) echo host ;;
        esac
    elif command -v python3 >/dev/null; then
        python3 -c '
import sys, urllib.error, urllib.request
try:
    urllib.request.urlopen(sys.argv[1], timeout=15).close()
    print("page")
except urllib.error.HTTPError:
    print("host")
except Exception:
    print("nothing")
' "$1" 2>/dev/null
    elif command -v wget >/dev/null; then
        if wget -q -T 15 -O /dev/null -- "$1" 2>/dev/null; then echo page; else echo nothing; fi
    else
        echo 'no tool'
    fi
}

network() {
    case ${RUN_NETWORK-}:${RUN_DOCS_URL-} in
        skip:* | *:) answer='no tool' ;;
        *:http://?* | *:https://?*) answer=$(ask "$RUN_DOCS_URL") ;;
        *) answer='no tool' ;;
    esac
    case $answer in
        page) tcp=ok docs=ok ;;
        host) tcp=ok docs=unreachable ;;
        nothing) tcp=unreachable docs=unreachable ;;
        *) tcp=skipped docs=skipped ;;
    esac
    pair network_tcp "$tcp"
    pair network_docs "$docs"
    pair docs_url "${RUN_DOCS_URL-}"
}

hooks() {
    folder=$(git_as_set rev-parse --git-path hooks)
    installed=0
    for hook in "$folder"/*; do
        case $hook in
            *.sample) ;;
            *) [ -f "$hook" ] && [ -x "$hook" ] && installed=$((installed + 1)) ;;
        esac
    done
    pair hooks_installed "$installed"
    pair hooks_path "$folder"
    pair repo_hooks_path "$(git_as_set config --local --get core.hooksPath)"
    configured=no
    for file in .pre-commit-config.yaml .pre-commit-config.yml .husky .lefthook.yml lefthook.yml .overcommit.yml; do
        [ -e "$file" ] && configured=yes
    done
    pair hook_config_present "$configured"
    on_path pre-commit precommit_on_path
}

# Git with the settings that the agent will have.
git_as_set() {
    command git --no-pager "$@" </dev/null 2>/dev/null
}

digest() {
    if command -v sha256sum >/dev/null; then
        sum=$(sha256sum <"$1")
    elif command -v shasum >/dev/null; then
        sum=$(shasum -a 256 <"$1")
    elif command -v openssl >/dev/null; then
        sum=$(openssl dgst -sha256 -r <"$1")
    else
        sum=
    fi
    printf '%s\n' "${sum%% *}"
}

rules_file() {
    file=$(given "${RUN_RULES_FILE:-/rules/CONTRIBUTING_RULES.md}")
    if [ -f "$file" ] && [ -r "$file" ]; then
        pair rules_file_present yes
        pair rules_file_sha256 "$(digest "$file")"
        # Characters, not bytes: every byte but those that go on with a character.
        pair rules_file_chars "$(($(tr -d '\200-\277' <"$file" | wc -c)))"
        pair rules_file_lines "$(($(wc -l <"$file")))"
    else
        pair rules_file_present no
        pair rules_file_sha256 ''
        pair rules_file_chars 0
        pair rules_file_lines 0
    fi
    pair rules_file_path "$file"
}

version() {
    printf '%s\n' "${1##* }"
}

base=${RUN_BASE_COMMIT-}
date=${RUN_BASE_COMMIT_DATE-}
if [ -z "$date" ] && [ -n "$(commit "$base")" ]; then
    date=$(git show --no-patch --no-show-signature --format=%cI "$(commit "$base")")
fi
pair probe_version 1
pair instance_id "${RUN_INSTANCE_ID-}"
pair base_commit "$base"
pair base_commit_date "$date"
pair dataset_created_at "${RUN_DATASET_CREATED_AT-}"
pair condition "${RUN_CONDITION-}"
pair model "${RUN_MODEL-}"
pair framework "${RUN_FRAMEWORK-}"
pair reasoning "${RUN_REASONING-}"
pair attempt_n "${RUN_ATTEMPT-}"
pair start_head "$(commit HEAD)"
pair start_branch "$(branch)"
hooks
for tool in ruff flake8 black isort pytest; do
    on_path "$tool" "tool_$tool"
done
network
rules_file
name=$(git_as_set config --get user.name)
email=$(git_as_set config --get user.email)
pair git_user_name "${GIT_AUTHOR_NAME:-$name}"
pair git_user_email "${GIT_AUTHOR_EMAIL:-$email}"
python=$(python --version 2>&1) || python=$(python3 --version 2>&1) || python='python missing'
pair python_version "$(version "$python")"
released=$(command git --version)
released=${released#git version }
pair git_version "${released%% *}"
