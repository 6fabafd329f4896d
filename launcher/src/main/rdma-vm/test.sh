#!/usr/bin/env bash
# Tests that need an RDMA device: test.sh FOLDER PART... runs parts in the virtual machine, where rxe0 is the device.
# Called by vm.sh, after everything is built. Processes talk about themselves in files in /tmp.
set -uo pipefail

out=$1 # what vm.sh has put there
shift
lib=$PWD/launcher/target/lib
# compiled code costs more than it brings in an emulated processor
jvm=(--enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -XX:TieredStopAtLevel=1)
failures=0
nodes=()

nelumbo() { # nelumbo MEGABYTES ARGUMENT...: what hangs is to end with what it has said
  local heap=$1
  shift
  timeout --kill-after=10 900 "$JAVA_HOME/bin/java" "${jvm[@]}" "-Xmx${heap}m" -cp "$lib/*" org.nelumbo.launcher.Main "$@"
}

failed() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

start_node() { # start_node PORT MEGABYTES [OPTION...]
  local port=$1 megabytes=$2 log=/tmp/node-$1 turn
  shift 2
  # no function: what is killed is Java
  "$JAVA_HOME/bin/java" "${jvm[@]}" -Xmx200m -cp "$lib/*" org.nelumbo.launcher.Main memory-node \
    --listen "127.0.0.1:$port" --memory "${megabytes}m" --rdma rxe0 "$@" >"$log" 2>&1 &
  nodes+=($!)
  for turn in $(seq 300); do
    grep -q 'offered by RDMA' "$log" && return
    sleep 0.5
  done
  cat "$log"
  failed "the memory node does not start"
}

end_nodes() {
  kill -9 "${nodes[@]}" 2>/dev/null
  wait "${nodes[@]}" 2>/dev/null
  nodes=()
}

units() { # units TESTS OPTION...
  local tests=$1
  shift
  ./mvnw -o -q -B -ntp -pl storage-dm surefire:test -Dsurefire.failIfNoSpecifiedTests=false "-Dtest=$tests" \
    -Dnelumbo.rdma.device=rxe0 "$@" || failed "$tests"
}

kit() {
  local tests=RdmaFabricTest
  [ -e "$out/offsets" ] && tests+=,StructureOffsetsTest
  units "$tests" -Dnelumbo.rdma.rounds=1 "-Dnelumbo.rdma.offsets=$([ -e "$out/offsets" ] && echo "$out/offsets")"
}

disni() {
  local tests=RdmaFabricTest,ForeignProviderTest address=-Dnelumbo.rdma.address=10.9.0.1
  units "$tests" -Dnelumbo.rdma.rounds=1 -Dnelumbo.rdma.provider=disni "$address"
  start_node 7471 128
  bench smallbank 'jdbc:nelumbo:rdma://127.0.0.1:7471/disni?create=true&provider=disni' --duration 5s --accounts 300
  end_nodes
  if [ -n "${DISNI_LIBRARY-}" ]; then
    echo "with DiSNI's library in $DISNI_LIBRARY:"
    units RdmaFabricTest -Dnelumbo.rdma.rounds=1 -Dnelumbo.rdma.provider=disni -Dnelumbo.rdma.library=true \
      "-Dnelumbo.test.jvm=-Djava.library.path=$DISNI_LIBRARY --add-exports java.base/sun.nio.ch=ALL-UNNAMED"
  fi
}

fencing() {
  units 'RdmaFabricTest#shouldDoNoVerbOfAFencedComputeNodeOnceOthersAreTold' "-Dnelumbo.rdma.rounds=$ROUNDS"
}

bench() { # bench NAME URL OPTION...: with the checks of the benchmark before and after
  local log=/tmp/bench-$1 name=$1 url=$2
  shift 2
  if ! nelumbo 500 bench "$name" --url "$url" --terminals 2 --warmup 1s "$@" >"$log" 2>&1 ||
    ! grep -q 'consistent=true' "$log"; then
    cat "$log"
    failed "$name"
  fi
  grep -E 'checks hold|RESULT' "$log"
}

transactions() {
  local url='jdbc:nelumbo:rdma://127.0.0.1:7421/transactions?create=true'
  start_node 7421 256
  bench smallbank "$url" --duration 5s --accounts 500
  bench tatp "$url" --duration 5s --subscribers 300
  bench tpcc "$url" --duration 5s --compact
  end_nodes
}

shared() {
  start_node 7461 128 --lease 60 # who enters may be silent for long on an emulated processor
  bench smallbank 'jdbc:nelumbo:rdma://127.0.0.1:7461/shared?create=true' --duration 10s --accounts 300 --processes 2
  end_nodes
}

state() { # state TEXT: what the pool of copies is said to be
  nelumbo 200 status "$url" 2>&1 | tail -1 | tee /tmp/status
  grep -q "$1" /tmp/status || failed "not so: $1"
}

copies() {
  local port log=/tmp/bench-smallbank turn
  local url='jdbc:nelumbo:rdma://127.0.0.1:7431,127.0.0.1:7432,127.0.0.1:7433/copies?create=true&replicas=3'
  for port in 7431 7432 7433; do start_node "$port" 64; done
  rm -f "$log"
  { # once there is load
    for turn in $(seq 600); do
      grep -q 'after load' "$log" 2>/dev/null && break
      sleep 0.5
    done
    sleep 5
    kill -9 "${nodes[1]}"
    echo "memory node 127.0.0.1:7432 was killed"
  } &
  bench smallbank "$url" --duration 20s --accounts 300
  wait $!
  state 'answering=0,2 '
  start_node 7432 64
  bench smallbank "$url" --duration 15s --accounts 300 --replace
  state 'live=0,1,2 '
  end_nodes
}

perftest() { # perftest PROGRAM OPTION...: its last line
  local program=$1
  shift
  "$program" -d rxe0 -x 1 -F "$@" >/tmp/perftest 2>&1 &
  sleep 3
  timeout 120 "$program" -d rxe0 -x 1 -F "$@" 10.9.0.1 2>&1 | grep -E '^ *[0-9]+ +[0-9]' | tail -1 |
    sed "s|^|$program $* |"
  wait $!
}

verbs() {
  local bytes
  start_node 7441 16
  echo "nelumbo bench verbs, compiled as on any machine:"
  jvm=("${jvm[@]/-XX:TieredStopAtLevel=1/-XX:TieredStopAtLevel=4}")
  nelumbo 300 bench verbs --duration 2s 'jdbc:nelumbo:rdma://127.0.0.1:7441/verbs' || failed verbs
  echo "the same by DiSNI, without its library:"
  nelumbo 300 bench verbs --duration 2s 'jdbc:nelumbo:rdma://127.0.0.1:7441/verbs?provider=disni' || failed verbs
  end_nodes
  echo "perftest, us (bytes, iterations, least, most, typical, mean, ...):"
  for bytes in 8 64 1024; do perftest ib_read_lat -n 2000 -s "$bytes"; done
  perftest ib_atomic_lat -n 2000 -A CMP_AND_SWAP
  perftest ib_atomic_lat -n 2000 -A FETCH_AND_ADD
  for bytes in 8 64 1024; do perftest ib_write_lat -n 2000 -s "$bytes"; done
}

refused() { # refused TEXT COMMAND...: the command fails, and says so
  local text=$1
  shift
  if "$@" >/tmp/refused 2>&1 || ! grep -q "$text" /tmp/refused; then
    cat /tmp/refused
    failed "not said: $text"
  fi
  tail -1 /tmp/refused
}

# Without the right to lock as much as it likes, which root has.
without_locks() {
  (
    ulimit -l 0
    exec setpriv --bounding-set -ipc_lock --inh-caps -ipc_lock "$JAVA_HOME/bin/java" "${jvm[@]}" -Xmx200m \
      -cp "$lib/*" org.nelumbo.launcher.Main "$@"
  )
}

words() {
  local url='jdbc:nelumbo:rdma://127.0.0.1:7451/words'
  refused 'there is no RDMA device nosuch on this machine' nelumbo 200 memory-node --memory 16m --rdma nosuch
  refused 'GID 200 of RDMA device rxe0 cannot be used: name one of' nelumbo 200 memory-node --memory 16m --rdma rxe0:200
  refused 'raise the limit on locked memory' without_locks memory-node --memory 16m --rdma rxe0
  start_node 7451 16
  refused 'offers its memory by RDMA only' nelumbo 200 bench verbs "${url/rdma:/}"
  refused 'there is no RDMA device nosuch' nelumbo 200 bench verbs "$url?rdmaDevice=nosuch"
  refused 'raise the limit on locked memory' without_locks bench verbs "$url"
  end_nodes
}

for part in "$@"; do
  case $part in
    kit | disni | words | fencing | transactions | shared | copies | verbs)
      echo "== $part"
      started=$SECONDS
      "$part"
      echo "== $part: $((SECONDS - started)) s"
      ;;
    *) failed "there is no part '$part'" ;;
  esac
done
[ "$failures" -eq 0 ] && echo "all of $* passed"
exit $((failures > 0))
