#!/bin/sh
# Prints a workload of tasks that sleep; see README.md beside this file.
set -eu

usage() {
  cat >&2 <<'END'
usage: workload.sh MILLIS TASKS         so many tasks of so many milliseconds each
       workload.sh mixed TASKS [SEED]   tasks of 1 ms to 1 s, log-normal, in random order; SEED is 1 to 999999999
END
  exit 2
}

whole() { # NUMBER MOST: whether it is a whole number, not above that
  case $1 in
    '' | *[!0-9]* | ??????????*) return 1 ;;
  esac
  [ "$1" -le "$2" ]
}

equal() { # MILLIS TASKS
  awk -v millis="$1" -v tasks="$2" 'BEGIN { for (i = 0; i < tasks; i++) print "sleep", millis }'
}

# A random generator of its own (Lehmer, 16807 modulo 2^31 - 1), as every awk has another one: the same seed makes the same
# file everywhere. Twelve uniform numbers, added up, are nearly normal with standard deviation 1.
mixed() { # TASKS SEED
  awk -v tasks="$1" -v seed="$2" '
    function uniform() {
      state = state * 16807 % 2147483647
      return state / 2147483647
    }
    function normal(  i, sum) {
      sum = -6
      for (i = 0; i < 12; i++) sum += uniform()
      return sum
    }
    BEGIN {
      state = seed
      for (i = 0; i < 12; i++) uniform() # the first numbers after a small seed are small
      low = log(1)
      high = log(1000)
      while (made < tasks) {
        z = normal()
        if (z >= -3 && z <= 3) {
          printf "sleep %d\n", exp((low + high) / 2 + z * (high - low) / 6) + 0.5
          made++
        }
      }
    }'
}

{ [ $# -ge 2 ] && whole "$2" 999999999; } || usage
case $1 in
  mixed)
    seed=${3:-2017}
    { [ $# -le 3 ] && whole "$seed" 999999999 && [ "$seed" -gt 0 ]; } || usage
    mixed "$2" "$seed"
    ;;
  *)
    { [ $# -eq 2 ] && whole "$1" 999999999; } || usage
    equal "$1" "$2"
    ;;
esac
