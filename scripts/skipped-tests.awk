# SPDX-License-Identifier: GPL-3.0-or-later
# Reads ctest's LastTest.log and tells which tests were skipped and why, those with one reason together. Understands
# what GoogleTest ("FILE:LINE: Skipped", then the reason up to an empty line) and Qt Test ("SKIP   : NAME() REASON") say.

function note(name, reason) {
    gsub(/[ \t]+/, " ", reason)
    sub(/^ /, "", reason)
    sub(/ $/, "", reason)
    if (reason == "") {
        reason = "NO REASON GIVEN"
    }
    if (!(reason in names)) {
        order[++reasons] = reason
    }
    names[reason] = names[reason] "\n      " name
    count[reason]++
    total++
}

/^[0-9]+\/[0-9]+ Test: / {
    sub(/^[0-9]+\/[0-9]+ Test: /, "")
    test = $0
    next
}
reading && (/^$/ || /^\[/ || /^<end of output>/) {
    note(test, reason)
    reading = 0
    next
}
reading {
    reason = reason " " $0
    next
}
/: Skipped$/ {
    reading = 1
    reason = ""
    next
}
/^SKIP +: / {
    sub(/^SKIP +: /, "")
    name = $1
    sub(/^[^ ]+ */, "")
    note(test ": " name, $0)
}

END {
    if (total == 0) {
        print "Skipped tests: none"
        exit
    }
    printf "Skipped tests: %d\n", total
    for (i = 1; i <= reasons; i++) {
        printf "  %s (%d):%s\n", order[i], count[order[i]], names[order[i]]
    }
}
