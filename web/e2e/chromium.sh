#!/usr/bin/env bash
# Prints the path of a Chromium. If there is none, installs Debian's package (as root), or says what to install.
#
#   chromium.sh            the browser
#   chromium.sh headless   the same engine without a browser's window around it, if it is there, else the browser: tests take
#                          a third less processor time with it. `make test-long` runs them in the browser, too.
set -eu
browsers="chromium chromium-browser google-chrome google-chrome-stable"
package=chromium
if [ "${1:-}" = headless ]; then
  browsers="chromium-headless-shell $browsers"
  package=chromium-headless-shell
fi
for name in "${CHROMIUM:-}" $browsers; do
  [ -n "$name" ] && command -v "$name" && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  echo "No Chromium found: installing Debian's package $package." >&2
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$package"; } >&2
  command -v "$package" && exit 0
fi
cat >&2 <<'MESSAGE'
The browser tests need a Chromium, and none was found.
Install one (Debian and Ubuntu: sudo apt-get install chromium; macOS: brew install --cask chromium),
or name one you have: CHROMIUM=/path/to/chromium make test
MESSAGE
exit 1
