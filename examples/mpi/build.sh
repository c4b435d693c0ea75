#!/bin/sh
# Compiles the MPI programs beside this file; see README.md there.
set -eu

if [ $# -gt 1 ]; then
  echo 'usage: build.sh [FOLDER]   into the current folder unless another one is named' >&2
  exit 2
fi
here=$(dirname "$0")
into=${1:-.}

if ! command -v mpicc >/dev/null; then
  echo 'there is no mpicc on the PATH: install MPICH, on Debian and Ubuntu with apt-get install mpich' >&2
  exit 1
fi
# The ranks are launched by MPICH's mpiexec; a program of another MPI would run as so many programs of one rank.
if ! mpicc -show | grep -q mpich; then
  echo "$(command -v mpicc) is not MPICH's, but: $(mpicc -show)" >&2
  echo 'install MPICH, and put its mpicc first on the PATH' >&2
  exit 1
fi

mkdir -p "$into"
for program in pi ring; do
  mpicc -O2 -Wall -Wextra -o "$into/mpi-$program" "$here/$program.c"
done
