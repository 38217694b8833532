import { sharedDaemonPattern } from "../tree/spare.js";

/**
 * The watchdog's program for a POSIX shell; arguments: run id, start of the host, ledger file, folder of control groups,
 * Node and the program it runs when the host is dead. Reads lines from stdin: `A pid start pipe,pipe` (a child began),
 * `D pid start` (its tree is gone), `C word` (the container engine that runs some of them), `Q` (all is
 * well, end). When stdin ends without Q the host is dead, and everything of its run is ended by the code that ends trees
 * at a stop and at a start (`watchdogMain.ts`).
 *
 * Until then it is a shell, which takes some 0.3 MB of private memory instead of 40. Where Node cannot be started (a
 * host in one file, no memory left) the shell does what it can by itself: it goes by the same evidence, but a look takes
 * longer than some processes live.
 */
export const watchdogScript = String.raw`
trap '' HUP INT TERM PIPE
LC_ALL=C; export LC_ALL
run=$1 since=$2 ledger=$3 cgroups=$4 node=$5 main=$6 roots= engines=
newline='
'
while read -r op pid start pipes; do
  case $op in
    A) roots="$roots$newline$pid $start $pipes" ;;
    D) kept=; set -f; IFS=$newline
       for row in $roots; do case $row in "$pid $start "*) ;; *) kept="$kept$newline$row" ;; esac; done
       unset IFS; set +f; roots=$kept ;;
    C) engines="$engines $pid" ;;
    Q) exit 0 ;;
  esac
done
if [ -n "$main" ]; then
  set -f
  printf '%s\n' "$roots" | ELECTRON_RUN_AS_NODE=1 "$node" "$main" "$run" "$since" "$ledger" "$cgroups" $engines >/dev/null 2>&1
  case $? in 0 | 3) exit 0 ;; esac
  set +f
fi

facts() {
  printf '%s\n' "$roots" | sed 's/^/R /'
  [ -n "$cgroups" ] && find "$cgroups" -name cgroup.procs -exec sed 's/^/G /' {} +
  if [ -d /proc/self/fd ]; then
    grep -sH '' /proc/[0-9]*/stat
    grep -slF "$run." /proc/[0-9]*/environ
    ls -ln /proc/[0-9]*/fd/0 /proc/[0-9]*/fd/1 /proc/[0-9]*/fd/2
  else
    ps -A -o pid= -o ppid= -o pgid= -o lstart= | sed 's/^/P /'
    ps -A -E -o pid= -o command= | grep "[M]CPVISOR_RUN=[^ ]*$run[.]" | sed 's/^ *\([0-9]*\).*/\/proc\/\1\/environ/'
  fi
} 2>/dev/null

# Gives what to signal: -group where everybody in it is ours, a pid elsewhere.
look() {
  hits=$(facts | awk -v self=$$ '
    function member(pid) { if (pid > 1 && pid != self) hit[pid] = 1 }
    function led(id) { return (id in start) && (!(id in born) || born[id] == start[id]) }
    /^R [0-9]/ { start[$2] = $3; n = split($4, p, ","); for (i = 1; i <= n; i++) pipe[p[i]] = 1; next }
    /^G / { member($2); next }
    /^P / { pid = $2; parent[pid] = $3; group[pid] = $4; session[pid] = 0; state[pid] = "R"
            born[pid] = $5 "_" $6 "_" $7 "_" $8 "_" $9; next }
    /^\/proc\/[0-9]+\/stat:/ { split($0, path, "/"); line = $0; sub(/^[^:]*:/, "", line)
            text[path[3]] = text[path[3]] " " line; next }
    /^\/proc\/[0-9]+\/environ$/ { split($0, path, "/"); member(path[3]); next }
    / -> / { if ($NF in pipe) { split($(NF - 2), path, "/"); member(path[3]) } next }
    END {
      for (pid in text) {
        name = line = text[pid]
        sub(/^[^(]*\(/, "", name); sub(/\)[^)]*$/, "", name); sub(/^.*\) /, "", line)
        split(line, f, " ")
        state[pid] = f[1]; parent[pid] = f[2]; group[pid] = f[3]; session[pid] = f[4]; born[pid] = f[20]
        if (name ~ /^(${sharedDaemonPattern})$/) spared[pid] = 1
      }
      for (pid in start) if ((pid in born) && born[pid] == start[pid]) member(pid)
      for (pid in born) if (led(group[pid]) || led(session[pid])) member(pid)
      do {
        grew = 0
        for (pid in born) if (!(pid in hit) && (parent[pid] in hit)) { member(pid); if (pid in hit) grew = 1 }
      } while (grew)
      for (pid in hit) if (!(pid in born) || state[pid] ~ /^[ZX]$/ || ((pid in spared) && !(parent[pid] in hit) && !led(session[pid]))) drop[pid] = 1
      for (pid in drop) delete hit[pid]
      for (pid in born) if (!(pid in hit) && state[pid] !~ /^[ZX]$/) mixed[group[pid]] = 1
      for (pid in hit) {
        if (group[pid] < 2 || (group[pid] in mixed)) print pid
        else if (!(group[pid] in whole)) { whole[group[pid]] = 1; print "-" group[pid] }
      }
    }')
}
send() {
  for target in $hits; do kill -s "$1" -- "$target"; done 2>/dev/null
}
freezer() {
  for file in "$cgroups"/*/cgroup.freeze "$cgroups"/*/freezer.state; do
    case $file in *.state) echo "$1" >"$file" ;; *) echo "$2" >"$file" ;; esac
  done 2>/dev/null
}

begun=$(date +%s)
look
if [ -n "$hits" ]; then
  send TERM
  send CONT
  tries=0
  while [ -n "$hits" ] && [ $tries -lt 6 ]; do sleep 0.05; look; tries=$((tries + 1)); done
fi
quiet=$(date +%s) empty=0 now=$quiet
# Two seconds of nothing, by a clock that shows whole ones; a minute in all.
while { [ $empty -lt 4 ] || [ $((now - quiet)) -lt 3 ]; } && [ $((now - begun)) -lt 60 ]; do
  [ -n "$cgroups" ] && freezer FROZEN 1
  before=none tries=0
  while [ "$hits" != "$before" ] && [ $tries -lt 6 ]; do
    before=$hits
    send STOP
    look
    tries=$((tries + 1))
  done
  send KILL
  [ -n "$cgroups" ] && freezer THAWED 0
  now=$(date +%s)
  if [ -z "$hits" ]; then empty=$((empty + 1)); sleep 0.015; else empty=0 quiet=$now; fi
  look
done
set -f
for engine in $engines; do
  IFS='|'; set -- $engine; unset IFS
  boxes=$("$@" ps --all --quiet --filter "label=mcpvisor.run=$run" 2>/dev/null)
  [ -n "$boxes" ] || continue
  "$@" kill --signal KILL $boxes
  "$@" rm --force $boxes
done >/dev/null 2>&1
set +f
[ -n "$cgroups" ] && rmdir "$cgroups"/* "$cgroups" 2>/dev/null
[ $empty -ge 4 ] && [ $((now - quiet)) -ge 3 ] && [ -n "$ledger" ] && rm -f "$ledger"
exit 0
`;
