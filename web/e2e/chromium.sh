#!/usr/bin/env bash
# Prints the path of a Chromium. If there is none, installs Debian's package (as root), or says what to install.
set -eu
for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
  [ -n "$name" ] && command -v "$name" && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  echo "No Chromium found: installing Debian's package chromium." >&2
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; } >&2
  command -v chromium && exit 0
fi
cat >&2 <<'MESSAGE'
The browser tests need a Chromium, and none was found.
Install one (Debian and Ubuntu: sudo apt-get install chromium; macOS: brew install --cask chromium),
or name one you have: CHROMIUM=/path/to/chromium make test
MESSAGE
exit 1
