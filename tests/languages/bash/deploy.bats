#!/usr/bin/env bats
load test_helper

setup() { # DEFINES function setup 4-6
  workspace="$(mktemp -d)"
}

# What happens without a host.
@test "no host: deploy.fail is called" { # DEFINES function no_host:_deploy.fail_is_called 8-15
  run deploy_host # REFERS call deploy_host
  [ "$status" -eq 1 ]
  if [ -n "$output" ]; then
    echo "$output"
  fi
}

@test 'two hosts' { # DEFINES function two_hosts 17-20
  run -0 deploy_host alpha beta
  [[ "${lines[0]}" == "done" ]]
}
