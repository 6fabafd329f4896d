#!/usr/bin/env bash
# Tests that need an RDMA device: test.sh FOLDER PART... runs parts in the virtual machine, where rxe0 is the device.
# Called by vm.sh, after everything is built. Processes talk about themselves in files in FOLDER/logs, which stay.
set -uo pipefail

out=$1 # what vm.sh has put there
shift
logs=$out/logs
rm -rf "$logs"
mkdir -p "$logs"
# compiled code costs more than it brings in an emulated processor
jvm=(--enable-native-access=ALL-UNNAMED -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -XX:TieredStopAtLevel=1)
# classes that are loaded and linked already: loading them takes an emulated processor minutes
program=(-XX:AOTCache="$PWD/launcher/target/nelumbo.aot" -Xlog:aot=off -Xlog:cds=off -cp "${NELUMBO_CLASS_PATH-}"
  org.nelumbo.launcher.Main)
failures=0
address=127.0.0.1
declare -A nodes=() # processes by their ports
others=()           # other processes that are to say what they do when one hangs
limit=900           # seconds in which a command has to end

nelumbo() { # nelumbo MEGABYTES ARGUMENT...: what hangs is to end with what it has said, and what its threads do
  local heap=$1 status
  shift
  timeout --signal=QUIT --kill-after=20 "$limit" "$JAVA_HOME/bin/java" "${jvm[@]}" "-Xmx${heap}m" "${program[@]}" "$@"
  status=$?
  if [ "$status" = 137 ]; then
    echo "it has not ended within $limit s: nelumbo $*"
    kill -QUIT "${nodes[@]}" "${others[@]}" 2>/dev/null
    sleep 5
  fi
  return "$status"
}

failed() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

start_node() { # start_node PORT MEGABYTES [OPTION...]
  local port=$1 megabytes=$2 log=$logs/node-$1 turn
  shift 2
  # no function: what is killed is Java
  "$JAVA_HOME/bin/java" "${jvm[@]}" -Xmx200m "${program[@]}" memory-node \
    --listen "$address:$port" --memory "${megabytes}m" --rdma rxe0 "$@" >"$log" 2>&1 &
  nodes[$port]=$!
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

kill_node() { # kill_node PORT
  kill -9 "${nodes[$1]}"
  wait "${nodes[$1]}" 2>/dev/null
  unset "nodes[$1]"
  echo "memory node $address:$1 was killed"
}

once_loaded() { # once_loaded COMMAND...: a few seconds after the benchmark has begun
  local turn
  for turn in $(seq 600); do
    grep -q 'after load' "$log" 2>/dev/null && break
    sleep 0.5
  done
  sleep 5
  "$@"
}

units() { # units TEST... -- OPTION...: those of storage-dm, without Maven
  local tests=()
  while [ "$1" != -- ]; do
    tests+=("$1")
    shift
  done
  shift
  timeout --signal=QUIT --kill-after=20 "$limit" "$JAVA_HOME/bin/java" "${jvm[@]}" -Xmx500m \
    --add-opens java.base/java.lang=ALL-UNNAMED -Dnelumbo.rdma.device=rxe0 "$@" \
    -cp "storage-dm/target/test-classes:storage-dm/target/classes:$(cat storage-dm/target/test-class-path)" \
    org.nelumbo.dm.DeviceTests "${tests[@]}" || failed "${tests[@]}"
}

patient=-Djunit.jupiter.execution.timeout.mode=disabled # of those that are meant for a real processor
fabric_kit=org.nelumbo.dm.fabric.tcp.RdmaFabricTest

kit() {
  local tests=("$fabric_kit")
  [ -e "$out/offsets" ] && tests+=(org.nelumbo.dm.fabric.rdma.StructureOffsetsTest)
  units "${tests[@]}" -- -Dnelumbo.rdma.rounds=1 "-Dnelumbo.rdma.offsets=$out/offsets"
}

short() {
  kit
}

disni() {
  units "$fabric_kit" -- -Dnelumbo.rdma.rounds=1 -Dnelumbo.rdma.provider=disni
  start_node 7471 128
  bench smallbank 'jdbc:nelumbo:rdma://127.0.0.1:7471/disni?create=true&provider=disni' --duration 5s --accounts 300
  end_nodes
  if [ -n "${DISNI_LIBRARY-}" ]; then
    echo "with DiSNI's library in $DISNI_LIBRARY:"
    units "$fabric_kit" -- -Dnelumbo.rdma.rounds=1 -Dnelumbo.rdma.provider=disni -Dnelumbo.rdma.library=true \
      "-Djava.library.path=$DISNI_LIBRARY" --add-exports java.base/sun.nio.ch=ALL-UNNAMED
  fi
}

# What is above the fabric, where memory nodes are reached by queue pairs.
failures() {
  local tests=org.nelumbo.dm.replication
  units $tests.ReplicatedFailureTest $tests.ReplicatedOrderTest $tests.SharedCopiesTest $tests.InterruptedAttachTest \
    -- $patient
}

interleavings() {
  local tests=org.nelumbo.dm.index limit=1800
  local failure=$tests.tree.TreeRepairTest#shouldSurviveFailureDuring
  units $tests.tree.OrderedIndexConcurrencyTest ${failure}Append ${failure}InsertInTheMiddle \
    ${failure}InsertOfAnotherLength ${failure}Removal ${failure}FirstSplit -- $patient
  units $tests.hash.HashIndexScheduleTest $tests.hash.SplitInterleavingTest $tests.hash.HashIndexConcurrencyTest \
    $tests.hash.SplitRepairTest -- $patient
}

repairs() {
  local limit=14400
  units org.nelumbo.dm.index.tree.TreeRepairTest -- $patient
}

fencing() {
  units "$fabric_kit#shouldExecuteNoVerbAfterFenceReturns" -- "-Dnelumbo.rdma.rounds=$ROUNDS"
}

bench() { # bench NAME URL OPTION...: with the checks of the benchmark before and after
  local log=$logs/bench-$1 name=$1 url=$2
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
  nelumbo 200 status "$url" 2>&1 | tail -1 | tee "$logs/status"
  grep -q "$1" "$logs/status" || failed "not so: $1"
}

# All nodes have to answer within seconds the first time; those that are just loading classes for it may not.
make_pool() {
  local turn
  for turn in 1 2 3 4 5; do
    nelumbo 200 init "${url/create=true&/}" >"$logs/init" 2>&1 && return
  done
  cat "$logs/init"
  failed init
}

copies() {
  local port log=$logs/bench-smallbank
  local url='jdbc:nelumbo:rdma://127.0.0.1:7431,127.0.0.1:7432,127.0.0.1:7433/copies?create=true&replicas=3'
  for port in 7431 7432 7433; do start_node "$port" 64; done
  make_pool
  rm -f "$log"
  once_loaded kill -9 "${nodes[7432]}" &
  bench smallbank "$url" --duration 20s --accounts 300
  wait $!
  state 'answering=0,2 '
  start_node 7432 64
  bench smallbank "$url" --duration 15s --accounts 300 --replace
  state 'live=0,1,2 '
  end_nodes
}

# Writes rows until it is killed, as one more compute node; some of them are there when the file is.
writer() {
  local row
  {
    echo 'CREATE TABLE written (id INT PRIMARY KEY, text VARCHAR(200));'
    for row in $(seq 10000); do
      echo "INSERT INTO written VALUES ($row, 'the text of row $row');"
      [ $((row % 10)) != 0 ] || echo "SELECT 'row $row is acknowledged';"
      [ "$row" != 100 ] || echo '!record /tmp/some-written'
    done
  } >/tmp/rows.sql
  rm -f /tmp/some-written
  exec "$JAVA_HOME/bin/java" "${jvm[@]}" -Xmx300m "${program[@]}" sql "$1" </tmp/rows.sql
}

# It is to write before the next one comes.
await_rows() {
  local turn
  for turn in $(seq 400); do
    [ -e /tmp/some-written ] && return
    sleep 0.5
  done
  failed 'a compute node has written no rows'
}

together() {
  local port log=$logs/bench-smallbank
  local url='jdbc:nelumbo:rdma://127.0.0.1:7491,127.0.0.1:7492,127.0.0.1:7493/together?create=true&replicas=3'
  for port in 7491 7492 7493; do start_node "$port" 96 --lease 60; done
  make_pool
  rm -f "$log"
  once_loaded kill -9 "${nodes[7492]}" &
  bench smallbank "$url" --duration 20s --accounts 300 --processes 2
  wait $!
  unset "nodes[7492]"
  state 'answering=0,2 '
  dead_writer
  end_nodes
}

# A compute node is killed that writes rows, while another one goes on.
dead_writer() {
  rm -f "$log"
  (writer "$url") >"$logs/writer" 2>&1 &
  others=($!)
  await_rows
  once_loaded kill -9 "${others[0]}" &
  bench smallbank "$url" --duration 40s --accounts 300 --replace
  wait $!
  others=()
  nelumbo 300 sql "$url" -e "SELECT COUNT(*), MAX(id) FROM written" | tee "$logs/written"
  grep -Eq '^\| ([1-9][0-9]*) +\| \1 ' "$logs/written" || failed 'the rows of the dead are not what it had committed'
  nelumbo 300 check "$url" || failed check
}

start_durable() { # start_durable PORT: with the log that it has kept
  start_node "$1" 96 --durable --data "/tmp/durable-$1"
}

# Logs are kept by the processors of memory nodes, over TCP, and what is in memory is written by the device.
durable() {
  local port log=$logs/bench-smallbank
  local url='jdbc:nelumbo:rdma://127.0.0.1:7511/durable?create=true'
  start_durable 7511
  make_pool
  (writer "$url") >"$logs/writer" 2>&1 &
  others=($!)
  await_rows
  sleep 5
  kill -9 "${others[0]}" "${nodes[7511]}"
  wait "${others[0]}" "${nodes[7511]}" 2>/dev/null
  others=()
  start_durable 7511
  kept
  bench smallbank "$url" --duration 10s --accounts 300
  end_nodes
  url='jdbc:nelumbo:rdma://127.0.0.1:7512,127.0.0.1:7513,127.0.0.1:7514/durable?create=true&replicas=3'
  for port in 7512 7513 7514; do start_durable "$port"; done
  make_pool
  rm -f "$log"
  once_loaded kill_node 7513 &
  bench smallbank "$url" --duration 20s --accounts 300
  wait $!
  unset "nodes[7513]"
  state 'answering=0,2 '
  start_durable 7513
  bench smallbank "$url" --duration 15s --accounts 300 --replace
  state 'live=0,1,2 '
  end_nodes
  for port in 7512 7513 7514; do start_durable "$port"; done
  nelumbo 300 sql "$url" -e "SELECT COUNT(*) AS accounts FROM accounts" | tee "$logs/accounts"
  grep -q '^| *300 ' "$logs/accounts" || failed 'the accounts are not those that all nodes had'
  nelumbo 300 check "$url" || failed check
  end_nodes
}

# Every row that was acknowledged is there when the power comes back, and none without those before it.
kept() {
  local acknowledged rows
  acknowledged=$(sed -n 's/^| row \([0-9]*\) is acknowledged.*/\1/p' "$logs/writer" | tail -1)
  nelumbo 300 sql "$url" -e "SELECT COUNT(*), MAX(id) FROM written" | tee "$logs/written"
  rows=$(sed -n 's/^| \([1-9][0-9]*\) *| \1 .*/\1/p' "$logs/written")
  echo "acknowledged: $acknowledged, kept: ${rows:-none}"
  [ "${acknowledged:-0}" -ge 100 ] && [ "${rows:-0}" -ge "$acknowledged" ] || failed 'what was acknowledged is lost'
  nelumbo 300 check "$url" || failed check
}

# In a virtual machine of its own: memory nodes, which others kill, start again, or switch off with the machine.
nodes() { # nodes ADDRESS PORT...: without a secret, as nobody else is on that network
  local port
  address=$1
  shift
  for port in "$@"; do
    start_node "$port" 64 --insecure
    touch "$out/ready-$port"
  done
  while [ ! -e "$out/end" ]; do
    for port in "$@"; do
      if [ -e "$out/kill-$port" ]; then
        kill_node "$port"
        rm "$out/kill-$port"
      elif [ -e "$out/start-$port" ]; then
        start_node "$port" 64 --insecure
        rm "$out/start-$port"
      fi
    done
    [ ! -e "$out/off" ] || echo o >/proc/sysrq-trigger
    sleep 0.5
  done
  end_nodes
}

ask_far() { # ask_far NUMBER WHAT: has another machine do something, and waits until it has
  local turn
  touch "$out/far-$1/$2"
  for turn in $(seq 240); do
    [ -e "$out/far-$1/$2" ] || break
    sleep 0.5
  done
  echo "machine $1: $2"
}

switch_off() { # switch_off NUMBER
  touch "$out/far-$1/off"
  echo "machine $1 is switched off"
}

network() {
  local turn log=$logs/bench-smallbank far
  local url='jdbc:nelumbo:rdma://10.9.0.2:7481,10.9.0.2:7482,10.9.0.3:7483/network?create=true&replicas=3'
  for turn in $(seq 300); do
    [ "$(find "$out" -path '*/far-*/ready-*' | wc -l)" = 3 ] && break
    sleep 1
  done
  make_pool
  rm -f "$log"
  once_loaded ask_far 2 kill-7482 &
  bench smallbank "$url" --duration 20s --accounts 300
  wait $!
  state 'answering=0,2 '
  ask_far 2 start-7482
  rm -f "$log"
  bench smallbank "$url" --duration 15s --accounts 300 --replace
  state 'live=0,1,2 '
  rm -f "$log"
  once_loaded switch_off 3 &
  bench smallbank "$url" --duration 20s --accounts 300 --replace
  wait $!
  state 'answering=0,1 '
  for far in 2 3; do touch "$out/far-$far/end"; done
}

perftest() { # perftest PROGRAM OPTION...: its last line
  local program=$1
  shift
  "$program" -d rxe0 -x 1 -F "$@" >"$logs/perftest" 2>&1 &
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

# benchmark/rdma-figures, as on two machines with cards, and short.
figures() {
  local serving turn
  {
    echo '#!/bin/bash'
    printf 'exec '
    printf '%q ' "$JAVA_HOME/bin/java" "${jvm[@]}" -Xmx400m "${program[@]}"
    echo '"$@"'
  } >/tmp/nelumbo
  chmod 755 /tmp/nelumbo
  export NELUMBO=/tmp/nelumbo MEMORY=96m DURATION=5s WARMUP=1s TERMINALS=2
  export SMALLBANK='--accounts 300' TATP='--subscribers 300' TPCC=--compact
  benchmark/rdma-figures serve rxe0:1 >"$logs/serve" 2>&1 &
  serving=$!
  for turn in $(seq 600); do
    [ "$(grep -c 'offered by RDMA' "$logs/serve")" = 4 ] && break
    sleep 0.5
  done
  PARTS='verbs perftest one copies' benchmark/rdma-figures run rxe0:1 10.9.0.1 2>&1 | tee "$logs/figures"
  [ "${PIPESTATUS[0]}" = 0 ] || failed figures
  grep -q 'CMP_AND_SWAP: .*[0-9]' "$logs/figures" || failed perftest
  kill "$serving"
}

refused() { # refused TEXT COMMAND...: the command fails, and says so
  local text=$1
  shift
  if "$@" >"$logs/refused" 2>&1 || ! grep -q "$text" "$logs/refused"; then
    cat "$logs/refused"
    failed "not said: $text"
  fi
  tail -1 "$logs/refused"
}

# Without the right to lock as much as it likes, which root has.
without_locks() {
  (
    ulimit -l 0
    exec setpriv --bounding-set -ipc_lock --inh-caps -ipc_lock "$JAVA_HOME/bin/java" "${jvm[@]}" -Xmx200m \
      "${program[@]}" "$@"
  )
}

words() {
  local url='jdbc:nelumbo:rdma://127.0.0.1:7451/words'
  refused 'there is no RDMA device nosuch on this machine' nelumbo 200 memory-node --memory 16m --rdma nosuch
  refused 'GID 200 of RDMA device rxe0 cannot be used: use one of' nelumbo 200 memory-node --memory 16m --rdma rxe0:200
  refused 'raise the limit on locked memory' without_locks memory-node --memory 16m --rdma rxe0
  echo never >/sys/kernel/mm/transparent_hugepage/enabled
  start_node 7451 16
  grep '0 of 16 MiB are in huge pages' "$logs/node-7451" || failed 'not said: 0 of 16 MiB are in huge pages'
  echo always >/sys/kernel/mm/transparent_hugepage/enabled
  refused 'serves its memory over RDMA only' nelumbo 200 bench verbs "${url/rdma:/}"
  refused 'there is no RDMA device nosuch' nelumbo 200 bench verbs "$url?rdmaDevice=nosuch"
  refused 'GID 200 of RDMA device rxe0 cannot be used: use one of' nelumbo 200 bench verbs "$url?rdmaDevice=rxe0:200"
  refused 'raise the limit on locked memory' without_locks bench verbs "$url"
  end_nodes
}

if [ "${1-}" = nodes ]; then
  shift
  nodes "$@"
  exit
fi
for part in "$@"; do
  case $part in
    kit | short | disni | failures | interleavings | words | fencing | transactions | shared | copies | together | \
      durable | network | verbs | figures | repairs)
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
