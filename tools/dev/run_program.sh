# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SPDX-FileCopyrightText: The Upsweep authors

# The program that ./dev run and ./dev mpirun are for. It gets the SIGTERM and SIGINT that ./dev gets: batch systems
# send them before they kill a job, and the program may want to write what it has.

# The first child of a process.
child_of() {
  local stat line words
  for stat in /proc/[0-9]*/stat; do
    { read -r line <"$stat"; } 2>/dev/null || continue
    read -r -a words <<<"${line##*) }" # state, parent, ...
    [[ ${words[1]} == "$1" ]] || continue
    stat=${stat#/proc/}
    echo "${stat%/stat}"
    return
  done
}

# Whether this is the foreground of a terminal, whose Ctrl-C reaches the program without our help. A second SIGINT makes
# MPICH's mpiexec kill its ranks.
is_in_foreground() {
  local line words
  read -r line <"/proc/$$/stat"
  read -r -a words <<<"${line##*) }" # state, parent, group, session, terminal, the terminal's foreground group
  [[ ${words[2]} == "${words[5]}" ]]
}

# pass_on <signal> <bwrap's process>: the program is the child of what bwrap starts as the first process inside. It may
# not be there yet.
pass_on() {
  local program
  while kill -0 "$2" 2>/dev/null; do
    program=$(child_of "$(child_of "$2")")
    [[ -n $program ]] && kill -s "$1" "$program" 2>/dev/null && return
    sleep 0.05
  done
}

# Runs a program where things are built, and ends with its exit code.
run_program() {
  if [[ $environment == host ]]; then
    export PATH=$build_dir/bin:$PATH
    exec "$@"
  fi
  # bwrap passes no signals on, and what is inside dies with it. So it ignores them, which env undoes for the program,
  # and this shell passes them on, which it can only while it waits for a process in the background.
  local jail bwrap code=0 interrupted=true
  set_jail
  (
    trap - QUIT # which a shell ignores in the background
    trap '' TERM INT
    exec "${jail[@]}" env --default-signal=TERM,INT "$@"
  ) <&0 &
  bwrap=$!
  trap 'interrupted=true; pass_on TERM "$bwrap"' TERM
  trap 'interrupted=true; is_in_foreground || pass_on INT "$bwrap"' INT
  while $interrupted; do
    interrupted=false
    wait "$bwrap"
    code=$?
  done
  exit "$code"
}
