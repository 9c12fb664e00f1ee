#!/usr/bin/env bash
# Bring a release to the servers.
set -euo pipefail

source "$(dirname "$0")/lib/log.sh"
. ./lib/hosts.sh

# How often a host is tried.
readonly RETRY_LIMIT=3 # DEFINES constant RETRY_LIMIT 8-9
declare -r TIMEOUT=30 # DEFINES constant TIMEOUT 10-10
declare -A PORTS=([web]=80 [api]=8080) # DEFINES constant PORTS 11-11
export PATH="$PATH:$HOME/bin" # DEFINES constant PATH 12-12
HOSTS=(alpha beta) # DEFINES constant HOSTS 13-13
: "${STAGE:=production}" # DEFINES constant STAGE 14-14
verbose=0 # DEFINES variable verbose 15-15

if [[ -n "${CI:-}" ]]; then
  verbose=1 # DEFINES variable verbose 18-18
else
  color=auto # DEFINES variable color 20-20
fi

[ -t 1 ] && tty=yes # DEFINES variable tty 23-23

# Print what is going wrong.
# $1: the message
fail() { # DEFINES function fail 25-32
  local message="$1" code=1
  local -r prefix="deploy"
  log_error "$prefix: $message" # REFERS call log_error
  exit "$code"
}

function _cleanup { # DEFINES function _cleanup 34-36
  rm -rf "$workspace" # REFERS read workspace
}

function with_lock() ( # DEFINES function with_lock 38-41
  flock 9 || fail "locked" # REFERS call flock  REFERS call fail
  "$@"
)

deploy_host() { # DEFINES function deploy_host 43-55
  local host
  for host in "${HOSTS[@]}"; do # REFERS read HOSTS
    copied=$(copy_release "$host" "${PORTS[web]}") # REFERS call copy_release  REFERS read PORTS
    if ! check_host "$host"; then # REFERS call check_host
      retry "$RETRY_LIMIT" restart_host "$host" # REFERS call retry  REFERS read RETRY_LIMIT  REFERS pass restart_host
    fi
  done
  restart_host() { # DEFINES function deploy_host.restart_host 51-53
    ssh "$1" systemctl restart app # REFERS call ssh
  }
  trap _cleanup EXIT # REFERS pass _cleanup
}

alias ll='ls -l' # DEFINES function ll 57-57
complete -F _deploy_words deploy # REFERS pass _deploy_words

case "${1:-}" in
  start) with_lock deploy_host ;; # REFERS call with_lock  REFERS pass deploy_host
  *) usage ;; # REFERS call usage
esac

cat <<TEXT | tee log.txt
fail() { not a function; }
TEXT
