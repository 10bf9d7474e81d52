#!/bin/sh
# Installs the executable of a release as /usr/local/bin/stagedoor. The tools of dev containers run it as root, with the options
# of devcontainer-feature.json as variables.
set -eu

version=${VERSION:-latest}
releases=${RELEASES:-https://github.com/OWNER/stagedoor/releases}
to=${DESTINATION:-/usr/local/bin}

fail() {
  echo "stagedoor: $*" >&2
  exit 1
}

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) target=linux-x64 ;;
  Linux-aarch64 | Linux-arm64) target=linux-arm64 ;;
  *) fail "There is no executable for $(uname -s) on $(uname -m)." ;;
esac
[ ! -e /etc/alpine-release ] || fail "The executable needs glibc, which Alpine does not have. Use an image of Debian, Ubuntu or Fedora."

has() { command -v "$1" >/dev/null 2>&1; }
if ! has curl && ! has wget; then
  has apt-get || fail "Install curl or wget first."
  apt-get -qq update
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends ca-certificates curl >/dev/null
fi
get() {
  if has curl; then curl -fsSL -o "$2" "$1"; else wget -qO "$2" "$1"; fi || fail "$1 could not be downloaded."
}

case "$version" in
  latest) files=$releases/latest/download ;;
  *) files=$releases/download/v${version#v} ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
get "$files/SHA256SUMS" "$work/sums"
sum=$(grep -E "^[0-9a-f]{64} [ *]stagedoor-[^ ]+-$target\.tar\.gz\$" "$work/sums") || fail "The release has no executable for $target."
archive=${sum##*[ *]}
get "$files/$archive" "$work/$archive"
(cd "$work" && echo "$sum" | sha256sum -c - >/dev/null 2>&1) || fail "$archive has another checksum than SHA256SUMS says."
tar -xzf "$work/$archive" -C "$work" stagedoor
mkdir -p "$to"
mv "$work/stagedoor" "$to/stagedoor"
chmod 755 "$to/stagedoor"
echo "Installed Stagedoor $("$to/stagedoor" --version)"
