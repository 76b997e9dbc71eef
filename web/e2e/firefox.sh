#!/usr/bin/env bash
# Prints the path of a Firefox. If there is none, installs Debian's package (as root), or says what to install.
set -eu
for name in "${FIREFOX:-}" firefox-esr firefox; do
  [ -n "$name" ] && command -v "$name" && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  echo "No Firefox found: installing Debian's package firefox-esr." >&2
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends firefox-esr; } >&2
  command -v firefox-esr && exit 0
fi
cat >&2 <<'MESSAGE'
The journeys in Firefox need a Firefox, and none was found.
Install one (Debian: sudo apt-get install firefox-esr; macOS: brew install --cask firefox),
or name one you have: FIREFOX=/path/to/firefox make firefox
MESSAGE
exit 1
