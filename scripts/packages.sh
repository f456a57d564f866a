# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The system's packages that the project needs, by their names on Debian 12 and Ubuntu 24.04, and how they get there.
# To be sourced after common.sh. What each library is for: docs/dependencies.md.

# To build the program and to show its window.
# shellcheck disable=SC2034  # used by those who source this file
CONSTELA_RUN_PACKAGES=(
    cmake g++ ninja-build pkg-config
    libcli11-dev libexpected-dev libfmt-dev libpcre2-dev nlohmann-json3-dev
    cppzmq-dev flatbuffers-compiler libflatbuffers-dev libsodium-dev libzmq3-dev
    qt6-base-dev qt6-l10n-tools qt6-svg-dev qt6-tools-dev qt6-tools-dev-tools
    libqt6sql6-sqlite qt6-qpa-plugins qt6-translations-l10n qt6-wayland
    fontconfig fonts-dejavu-core
)

# To build and run the tests.
# shellcheck disable=SC2034
CONSTELA_TEST_PACKAGES=(
    ccache git libgtest-dev libsimde-dev clang-format-14 python3
)

# clang 14 checks and fuzzes where it can read the system's C++ library. Against that of GCC 13 (Ubuntu 24.04) it stops
# at <chrono> in C++20, so there clang 18 fuzzes, and clang-tidy, whose checks differ by version, is left out.
constela_clang_version() {
    local codename
    # shellcheck disable=SC1091
    codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    case $codename in
    bookworm) echo 14 ;;
    *) echo 18 ;;
    esac
}

# Only when a model has to be fetched.
# shellcheck disable=SC2034
CONSTELA_FETCH_PACKAGES=(ca-certificates python3 python3-pip)

# need_packages NAME...: installs those that are missing. Says nothing and asks nobody when none is.
need_packages() {
    if [[ -n ${CONSTELA_SKIP_PACKAGES:-} ]]; then
        return 0
    fi
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        die "this system has no apt, so its packages cannot be installed from here. Install what docs/dependencies.md lists, then set CONSTELA_SKIP_PACKAGES=1 and start again."
    fi
    local missing=()
    mapfile -t missing < <(packages_missing "$@")
    if ((${#missing[@]} == 0)); then
        return 0
    fi
    local as_root=()
    if ((EUID != 0)); then
        # Whoever may not use sudo is asked for a password once, not at each step.
        if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || { can_ask && sudo -v; }; }; then
            as_root=(sudo)
        else
            printf 'error: %d packages of the system are missing, and installing them needs root. Run this once, then start again:\n\n' \
                "${#missing[@]}" >&2
            printf '  %s "apt-get update && apt-get install --no-install-recommends -y %s"\n\n' \
                "$(command -v sudo >/dev/null && ! can_ask && echo 'sudo sh -c' || echo 'su -c')" "${missing[*]}" >&2
            exit 1
        fi
    fi
    say "installing ${#missing[@]} packages of the system: ${missing[*]}"
    # Fresh lists only when the ones that are here do not know a package, or no longer lead to its file.
    if ! packages_known "${missing[@]}"; then
        apt_get update || warn "the package lists could not be brought up to date; trying with what is here"
    fi
    if ! apt_get install "${missing[@]}"; then
        say "trying once more with fresh package lists"
        apt_get update || true
        apt_get install "${missing[@]}" ||
            die "the packages could not be installed (apt says why above). Install them by hand, then start again: ${missing[*]}"
    fi
}

packages_missing() {
    local name
    local -A installed=()
    while read -r name state; do
        [[ $state == installed ]] && installed[$name]=1
    done < <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
    for name in "$@"; do
        [[ -n ${installed[$name]:-} ]] || printf '%s\n' "$name"
    done
}

packages_known() {
    local name
    for name in "$@"; do
        LC_ALL=C apt-cache policy "$name" 2>/dev/null | grep -q 'Candidate: [^(]' || return 1
    done
}

# Called by need_packages alone, whose as_root it uses.
apt_get() {
    local action=$1
    shift
    local options=(-q -o "DPkg::Lock::Timeout=300")
    if [[ -t 2 ]]; then
        options+=(-o "Dpkg::Progress-Fancy=1")
    else
        options+=(-o "Dpkg::Use-Pty=0")
    fi
    if [[ $action == install ]]; then
        options+=(-y --no-install-recommends)
    fi
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" "$action" "$@" </dev/null >&2
}
