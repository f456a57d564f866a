# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# What ./run, ./test and the other scripts share: where the project lies, how they speak, how many jobs they run.
# To be sourced. Messages go to stderr, so that stdout stays a program's own.

CONSTELA_ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

[[ -n ${HOME:-} ]] || HOME=~ # a service may run without it
export HOME

say() { printf '==> %s\n' "$*" >&2; }
warn() { printf 'warning: %s\n' "$*" >&2; }
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# Asks nothing where nobody can answer.
can_ask() { [[ -t 0 && -z ${CI:-} ]]; }

# Qt wants UTF-8; a bare system has no locale set at all.
use_utf8_locale() {
    if [[ -z ${LC_ALL:-}${LC_CTYPE:-}${LANG:-} ]]; then
        export LC_CTYPE=C.UTF-8
    fi
}

# Where what can be fetched or computed again is kept.
# shellcheck disable=SC2034  # used by those who source this file
CONSTELA_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/constela

# One compiler per core, but no more than one per GiB of memory that is free, or that a container is allowed.
build_jobs() {
    local cores free_gib limit
    cores=$(nproc)
    free_gib=$(awk '/^MemAvailable:/ {print int($2 / 1048576)}' /proc/meminfo 2>/dev/null || echo "$cores")
    limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || echo max)
    if [[ $limit =~ ^[0-9]+$ ]] && ((limit / 1073741824 < free_gib)); then free_gib=$((limit / 1073741824)); fi
    if ((free_gib < 1)); then free_gib=1; fi
    echo $((cores < free_gib ? cores : free_gib))
}

# configure_preset PRESET [cmake options]: only when there is no build folder yet or something about it has changed
# (CMake looks after everything but the presets and the options by itself).
configure_preset() {
    local preset=$1 build="$CONSTELA_ROOT/build/$1" wanted
    shift
    wanted=$(printf '%s\n' "$CONSTELA_ROOT" "$@" && cat -- "$CONSTELA_ROOT/CMakePresets.json")
    if [[ -f $build/build.ninja && $wanted == "$(cat -- "$build/.configured-with" 2>/dev/null)" ]]; then
        return 0
    fi
    say "configuring build/$preset"
    if [[ ! -w $CONSTELA_ROOT && ! -w $build ]]; then
        warn "nothing can be written in $CONSTELA_ROOT: make the checkout yours (chown), or clone it to a place of your own"
        return 1
    fi
    # A cache that was made in another place (a copied checkout) cannot be used here.
    if [[ -f $build/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$CONSTELA_ROOT" "$build/CMakeCache.txt"; then
        rm -rf -- "$build"
    fi
    (cd -- "$CONSTELA_ROOT" && cmake --preset "$preset" "$@" >&2) || return 1
    printf '%s\n' "$wanted" >"$build/.configured-with"
}
