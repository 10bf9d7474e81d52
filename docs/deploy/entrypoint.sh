#!/bin/sh
# One process per data folder, also between containers. Stagedoor's own lock cannot see a process of another container, so a
# start would wait for six seconds. The kernel's lock tells at once, and is released however the process ends.
set -eu
# Without a folder, --ephemeral still works, and otherwise Stagedoor reports the error.
if [ "${1:-}" = start ] && mkdir -p "$STAGEDOOR_DATA" 2>/dev/null; then
  exec 9<"$STAGEDOOR_DATA"
  if ! flock --nonblock 9; then
    echo "$STAGEDOOR_DATA is in use by another container. Give each one a volume of its own, or --ephemeral." >&2
    exit 1
  fi
fi
# Replace this shell, so that signals reach Stagedoor.
exec node "${0%/*}/dist/server/cli.js" "$@"
