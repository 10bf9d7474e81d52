#!/bin/sh
# One process a data folder, across containers too. Stagedoor's own lock tells by process ids who lives; in containers
# these say nothing, since each has a process 1. This lock is the kernel's, and goes with the process, however that ends.
set -eu
# Where there can be no folder, --ephemeral needs none, and else Stagedoor says what is wrong.
if [ "${1:-}" = start ] && mkdir -p "$STAGEDOOR_DATA" 2>/dev/null; then
  exec 9<"$STAGEDOOR_DATA"
  if ! flock --nonblock 9; then
    echo "$STAGEDOOR_DATA is in use by another container. Give each one a volume of its own, or --ephemeral." >&2
    exit 1
  fi
fi
# In place of this shell, so that signals reach Stagedoor.
exec node "${0%/*}/dist/server/cli.js" "$@"
