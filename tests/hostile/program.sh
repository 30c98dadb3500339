#!/bin/sh
# Stands in for a provider's program: takes its prompt and then does what SAYS says.
cat >/dev/null
eval "$SAYS"
