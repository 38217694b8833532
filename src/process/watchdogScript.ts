import { sharedDaemonPattern } from "./spare.js";

/**
 * The watchdog's program for a POSIX shell; arguments: run id, ledger file, folder of
 * control groups. Reads lines from stdin:
 * `A pid start pipe,pipe` (a child began), `D pid start` (its tree is gone), `C program` (the client of a container
 * engine that runs some of them), `Q` (all is well, end). When stdin ends
 * without Q the host is dead: everything with the run's mark, in a child's group or session, below a member, or on a
 * child's pipes gets TERM and CONT, 0.3 s later it is stopped on sight and killed, until four looks find nothing.
 * A shell instead of Node: some 0.3 MB of private memory instead of 7.
 */
export const watchdogScript = String.raw`
trap '' HUP INT TERM PIPE
LC_ALL=C; export LC_ALL
run=$1 ledger=$2 cgroups=$3 roots= engines=
newline='
'
while read -r op pid start pipes; do
  case $op in
    A) roots="$roots$newline""R $pid $start $pipes" ;;
    D) kept=; set -f; IFS=$newline
       for row in $roots; do case $row in "R $pid $start "*) ;; *) kept="$kept$newline$row" ;; esac; done
       unset IFS; set +f; roots=$kept ;;
    C) engines="$engines $pid" ;;
    Q) exit 0 ;;
  esac
done

facts() {
  printf '%s\n' "$roots"
  if [ -d /proc/self/fd ]; then
    grep -sH '' /proc/[0-9]*/stat
    grep -slF "$run." /proc/[0-9]*/environ
    ls -ln /proc/[0-9]*/fd/0 /proc/[0-9]*/fd/1 /proc/[0-9]*/fd/2
  else
    ps -A -o pid= -o ppid= -o pgid= -o lstart= | sed 's/^/P /'
    ps -A -E -o pid= -o command= | grep "[M]CPVISOR_RUN=[^ ]*$run[.]" | sed 's/^ *\([0-9]*\).*/\/proc\/\1\/environ/'
  fi
} 2>/dev/null

look() {
  hits=$(facts | awk -v self=$$ '
    function member(pid) { if (pid > 1 && pid != self) hit[pid] = 1 }
    function led(id) { return (id in start) && (!(id in born) || born[id] == start[id]) }
    /^R / { start[$2] = $3; n = split($4, p, ","); for (i = 1; i <= n; i++) pipe[p[i]] = 1; next }
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
      for (pid in hit) {
        if (!(pid in born) || state[pid] ~ /^[ZX]$/) continue
        if ((pid in spared) && !(parent[pid] in hit) && !led(session[pid])) continue
        print pid
      }
    }')
}

look
if [ -n "$hits" ]; then
  kill -s TERM $hits 2>/dev/null
  kill -s CONT $hits 2>/dev/null
  tries=0
  while [ -n "$hits" ] && [ $tries -lt 6 ]; do sleep 0.05; look; tries=$((tries + 1)); done
fi
if [ -n "$cgroups" ]; then
  for file in "$cgroups"/*/cgroup.kill; do echo 1 >"$file"; done 2>/dev/null
fi
empty=0 round=0
while [ $empty -lt 4 ] && [ $round -lt 60 ]; do
  before=none tries=0
  while [ "$hits" != "$before" ] && [ $tries -lt 6 ]; do
    before=$hits
    [ -n "$hits" ] && kill -s STOP $hits 2>/dev/null
    look
    tries=$((tries + 1))
  done
  if [ -z "$hits" ]; then empty=$((empty + 1)); else empty=0; kill -s KILL $hits 2>/dev/null; fi
  round=$((round + 1))
  sleep 0.015
  look
done
set -f
for engine in $engines; do
  boxes=$("$engine" ps --all --quiet --filter "label=mcpvisor.run=$run" 2>/dev/null)
  [ -n "$boxes" ] && "$engine" rm --force $boxes
done >/dev/null 2>&1
set +f
[ -n "$cgroups" ] && rmdir "$cgroups"/* "$cgroups" 2>/dev/null
[ $empty -ge 4 ] && [ -n "$ledger" ] && rm -f "$ledger"
exit 0
`;
