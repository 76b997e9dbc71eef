#!/usr/bin/env bash
# Prints the path of a Chromium. Without one it installs Debian's package (as root), or says what to install.
#
#   chromium.sh            the browser
#   chromium.sh headless   the same engine without a browser's window around it: tests take a third less processor time.
#                          Where it cannot be installed, the browser does. `make test-long` runs the tests in the browser.
set -eu
browsers="chromium chromium-browser google-chrome google-chrome-stable"

find_first() { # find_first NAME...: the path of the first program that is installed
  local name
  for name in "$@"; do [ -n "$name" ] && command -v "$name" && return; done
  return 1
}
install_package() { # install_package PACKAGE: installs it, where that needs no question
  [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null || return 1
  echo "Installing Debian's package $1." >&2
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$1"; } >&2
}

find_first "${CHROMIUM:-}" && exit 0
if [ "${1:-}" = headless ]; then
  find_first chromium-headless-shell && exit 0
  install_package chromium-headless-shell && find_first chromium-headless-shell && exit 0
fi
find_first $browsers && exit 0
install_package chromium && find_first chromium && exit 0
cat >&2 <<'MESSAGE'
The browser tests need a Chromium, and none was found.
Install one (Debian and Ubuntu: sudo apt-get install chromium; macOS: brew install --cask chromium),
or name one you have: CHROMIUM=/path/to/chromium make test
MESSAGE
exit 1
