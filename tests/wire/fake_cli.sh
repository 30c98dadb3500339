#!/bin/sh
# Stands in for a command-line program: reads its prompt, prints a fixture and ends as the program did.
[ "$(cat)" != "" ] || exit 99
[ -z "$FAKE_STDOUT" ] || cat "$FAKE_STDOUT" || exit 99
printf %s "$FAKE_STDERR" >&2
exit "$FAKE_EXIT"
