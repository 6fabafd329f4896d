#!/usr/bin/env bash
# Runs a command in a virtual machine that has an RDMA device (Soft-RoCE), made of Debian packages. Called by nelumbo.
set -euo pipefail

# JAVA_HOME is that of nelumbo
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
home=$(cd "$here/../.." && pwd)
work=$home/launcher/target/rdma-vm
packages=$work/packages
out=$work/out

usage() {
  cat <<'HELP'
Usage: ./nelumbo rdma-vm [COMMAND [ARGUMENTS]]
       ./nelumbo rdma-vm test [PART...]
       ./nelumbo rdma-vm make

Runs COMMAND, or a shell, in a virtual machine with the RDMA device rxe0 (Soft-RoCE): real queue pairs, no NIC.
The machine is built from Debian packages, which are downloaded once (30 MB and a kernel of 70 MB) and unpacked into
launcher/target/rdma-vm; nothing is installed. make only builds the machine. Its file system is that of the host,
overlaid with the packages. Its writes are lost, except those to launcher/target/rdma-vm/out. The exit status is that
of the command, or 3 if the host cannot run the machine.

test runs the tests that need a device: without a PART all but short, figures and repairs, which takes about ninety
minutes if the processor is emulated. PART is one of
  kit           the conformance kit of fabrics, and the offsets of structures against the headers
  disni         the kit by DiSNI, and SmallBank
  failures      tests of copies whose memory nodes fail at any verb, of their order, and of several writers
  interleavings tests of concurrent index changes, step by step, and of compute nodes that fail during them
  repairs       all tests of failures that leave a tree half changed: hours on an emulated processor
  words         messages if a device, a GID or the permission to lock memory is missing
  fencing       rounds in which a compute node is fenced while its verbs are under way
  transactions  SmallBank, TATP and TPC-C on a memory node, with their checks
  shared        SmallBank by two compute nodes that share a memory node
  copies        SmallBank on three memory nodes with three copies, one of which is killed and restarted
  verbs         each verb, compared with perftest
  together      SmallBank by two compute nodes on three copies, while memory nodes and a compute node are killed
  durable       one and three memory nodes with logs, and their contents after all were killed
  network       three virtual machines on one network: a compute node, and three memory nodes with three copies,
                of which one is killed and restarted, and one whole machine is switched off
  figures       benchmark/rdma-figures with a small amount of data
  short         kit, and the quick tests of words; for continuous integration

  ROUNDS             rounds of fencing (default: 30)
  DISNI_LIBRARY      directory of libdisni.so, with which disni runs the kit again (default: none)
  NELUMBO_VM_MEMORY  memory of the machine in MiB (default: 3072)
  NELUMBO_VM_CPUS    number of processors (default: those of the host, at most 4)
HELP
}

fail() {
  echo "nelumbo rdma-vm: $*" >&2
  exit 2
}

# the host cannot run the virtual machine
cannot() {
  echo "nelumbo rdma-vm: $*" >&2
  exit 3
}

# modules of the kernel, in the order in which they need each other
modules=(virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci netfs fscache 9pnet 9pnet_virtio 9p
  overlay failover net_failover virtio_net udp_tunnel ip6_udp_tunnel configfs ib_core ib_uverbs ib_cm iw_cm rdma_cm
  rdma_ucm crc32_generic rdma_rxe dummy)

# packages of Debian besides the kernel
wanted=(qemu-system-x86 busybox-static ibverbs-providers ibverbs-utils libibverbs1 libibverbs-dev librdmacm1 librdmacm-dev
  perftest iproute2)

download() {
  local kernel apt=(apt-get -q=2 -o Debug::NoLocking=1 -o "Dir::State::lists=$work/lists"
    -o "Dir::Cache=$work/cache" -o "Dir::Cache::archives=$work/archives" -o APT::Sandbox::User=)
  mkdir -p "$work"/lists/partial "$work"/cache "$work"/archives/partial
  echo "Downloading Debian packages for the virtual machine (100 MB, once) into $work ..." >&2
  "${apt[@]}" update >"$work/download.log" 2>&1 || return 1
  kernel=$(apt-cache -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache" depends linux-image-amd64 \
    2>>"$work/download.log" | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -1)
  [ -n "$kernel" ] || return 1
  # apt checks what it downloads against Debian's signatures
  "${apt[@]}" --download-only --no-install-recommends --reinstall -y install "${wanted[@]}" \
    >>"$work/download.log" 2>&1 || return 1
  (cd "$work/archives" && "${apt[@]}" download "$kernel" >>"$work/download.log" 2>&1)
}

unpack() {
  local package folder
  rm -rf "$packages" "$work/kernel"
  mkdir -p "$packages"/usr/{bin,sbin,lib,lib64} "$work/kernel"
  for folder in bin sbin lib lib64; do ln -s "usr/$folder" "$packages/$folder"; done
  for package in "$work"/archives/*.deb; do
    case "${package##*/}" in
      linux-image-*)
        dpkg-deb --fsys-tarfile "$package" | tar -x -C "$work/kernel" --wildcards './boot/vmlinuz*' \
          './lib/modules/*/kernel/drivers/infiniband/*' './lib/modules/*/kernel/drivers/virtio/*' \
          './lib/modules/*/kernel/drivers/net/dummy.ko' './lib/modules/*/kernel/drivers/net/virtio_net.ko' \
          './lib/modules/*/kernel/drivers/net/net_failover.ko' './lib/modules/*/kernel/net/core/failover.ko' \
          './lib/modules/*/kernel/net/9p/*' \
          './lib/modules/*/kernel/net/ipv?/*udp_tunnel.ko' './lib/modules/*/kernel/fs/*' \
          './lib/modules/*/kernel/crypto/crc32_generic.ko' || return 1
        ;;
      *) dpkg-deb --fsys-tarfile "$package" | tar -x -C "$packages" --keep-directory-symlink || return 1 ;;
    esac
  done
}

# the initial RAM disk: busybox, the modules and the first process
ramdisk() { # ramdisk FILE OUT ADDRESS: of a machine with that folder, and that address in the network of several
  local root=$work/ramdisk module file
  rm -rf "$root"
  mkdir -p "$root"/{bin,proc,sys,dev,modules,root}
  cp "$packages/bin/busybox" "$root/bin/busybox"
  cp "$here/init.sh" "$root/init"
  chmod 755 "$root/init"
  printf 'out=%q\naddress=%q\n' "$2" "$3" >"$root/settings"
  for module in "${modules[@]}"; do
    file=$(find "$work/kernel" -name "$module.ko" -print -quit)
    [ -z "$file" ] && continue # it is in the kernel
    cp "$file" "$root/modules/"
    echo "$module" >>"$root/modules/order"
  done
  (cd "$root" && find . | "$packages/bin/busybox" cpio -o -H newc 2>/dev/null | gzip -1) >"$1"
}

make() {
  local contents="${wanted[*]} ${modules[*]}"
  [ "$(cat "$work/made" 2>/dev/null)" = "$contents" ] && return
  [ "$(uname -s)/$(uname -m)" = Linux/x86_64 ] || cannot "the virtual machine needs Linux on x86-64"
  command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null ||
    cannot "the virtual machine is made of Debian packages, and there is no apt-get here"
  download || cannot "the packages cannot be downloaded; all that apt-get said is in $work/download.log"
  unpack || cannot "the packages cannot be unpacked; remove $work and try again"
  echo "$contents" >"$work/made"
}

# KVM where it works; else all instructions are emulated, about ten times slower
accelerator() {
  if [ -r /dev/kvm ] && [ -w /dev/kvm ] && timeout 5 "${qemu[@]}" -accel kvm -cpu host -machine q35 -nodefaults \
    -display none -S -qmp stdio <<<'{"execute":"qmp_capabilities"}{"execute":"quit"}' >/dev/null 2>&1; then
    echo "-accel kvm -cpu host"
  else
    echo "nelumbo rdma-vm: KVM cannot be used here; the machine is emulated, which is slow" >&2
    # without ERMS and FSRM: else the kernel copies bytes, one after the other, and a device moves words whole
    echo "-accel tcg,thread=multi -cpu max,-erms,-fsrm"
  fi
}

case "${1-}" in help | -h | --help)
  usage
  exit 0
  ;;
esac

make
[ "${1-}" != make ] || exit 0
mkdir -p "$out"
if [ "${1-}" = test ]; then
  shift
  [ $# -gt 0 ] ||
    set -- kit disni words fencing failures interleavings transactions shared copies together durable network verbs
  case " $* " in
    " kit " | " failures " | " interleavings " | " repairs " | " fencing " | " short ") ;;
    *) "$home/nelumbo" help sql >/dev/null ;; # builds what is missing
  esac
  case " $* " in *" kit "* | *" disni "* | *" failures "* | *" interleavings "* | *" repairs "* | *" fencing "* | *" short "*)
    [ -n "${NELUMBO_VM_BUILT-}" ] ||
      (cd "$home" && ./mvnw -q -B -ntp -Dnelumbo.oneJar.skip=true -pl storage-dm -am test-compile)
    if command -v cc >/dev/null && cc -I"$packages/usr/include" "$here/offsets.c" -o "$out/offsets-program"; then
      "$out/offsets-program" >"$out/offsets"
    else
      rm -f "$out/offsets"
      echo "nelumbo rdma-vm: there is no C compiler, so offsets are not compared with the headers" >&2
    fi
    ;;
  esac
  set -- "$here/test.sh" "$out" "$@"
fi
rm -f "$out/status" "$out/terminal"
if [ $# -eq 0 ]; then
  set -- bash -i
  touch "$out/terminal"
fi

# what a machine does
command_of() { # command_of OUT COMMAND...
  local to=$1
  shift
  {
    printf 'export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=%q TERM=%q JAVA_HOME=%q NELUMBO_JAVA_OPTS=%q ROUNDS=%q DISNI_LIBRARY=%q\n' \
      "${HOME:-/}" "${TERM:-dumb}" "$JAVA_HOME" "${NELUMBO_JAVA_OPTS-}" "${ROUNDS:-30}" "${DISNI_LIBRARY-}"
    # in the order of this machine's folder, as it is in the cache of loaded classes
    printf 'export NELUMBO_CLASS_PATH=%q\n' \
      "$(find "$home/launcher/target/lib" -maxdepth 1 -name '*.jar' 2>/dev/null | paste -sd:)"
    # the JDK is mapped into memory, and a page at a time would come over the shared folder
    printf 'cat %q/lib/{modules,server/*} %q/launcher/target/nelumbo.aot >/dev/null 2>&1\n' "$JAVA_HOME" "$home"
    printf 'ulimit -l unlimited\ncd %q\n' "$home"
    printf '%q ' "$@"
  } >"$to/command"
}

# runs a machine until it switches itself off
run() { # run OUT RAMDISK MEGABYTES PROCESSORS OPTION...
  local folder=$1 disk=$2 megabytes=$3 processors=$4
  shift 4
  "${qemu[@]}" "${accel[@]}" -machine q35 -smp "$processors" -m "$megabytes" -display none -vga none \
    -serial mon:stdio -no-reboot -kernel "$work"/kernel/boot/vmlinuz-* -initrd "$disk" \
    -append "console=ttyS0 quiet loglevel=1 panic=-1 mitigations=off" \
    -virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap \
    -virtfs "local,path=$packages,mount_tag=packages,security_model=none,readonly=on" \
    -virtfs "local,path=$folder,mount_tag=out,security_model=none" "$@"
}

# the network of several machines: what one sends comes to all
network() { # network NUMBER
  echo "-netdev socket,id=net,mcast=239.192.77.1:$port,localaddr=127.0.0.1" \
    "-device virtio-net-pci,netdev=net,mac=52:54:00:12:34:0$1"
}

far=() # processes of the other machines
end_far() {
  local each
  for each in "${far[@]}"; do kill "$each" 2>/dev/null; done
}

# a machine with memory nodes; what it is to do with them it finds in its folder
start_far() { # start_far NUMBER PORT...
  local number=$1 folder=$out/far-$1
  shift
  rm -rf "$folder"
  mkdir -p "$folder"
  command_of "$folder" "$here/test.sh" "$folder" nodes "10.9.0.$number" "$@"
  ramdisk "$work/ramdisk-$number.gz" "$folder" "10.9.0.$number"
  # shellcheck disable=SC2046
  run "$folder" "$work/ramdisk-$number.gz" 1536 1 $(network "$number") </dev/null >"$folder/terminal.log" 2>&1 &
  far+=($!)
}

export LD_LIBRARY_PATH=$packages/usr/lib/x86_64-linux-gnu
qemu=("$packages/usr/bin/qemu-system-x86_64" -L "$packages/usr/share/qemu" -L "$packages/usr/share/seabios")
cpus=$(nproc)
read -ra accel < <(accelerator)
command_of "$out" "$@"
ramdisk "$work/ramdisk.gz" "$out" ''
net=(-nic none)
case " $* " in *" network "*)
  port=$((20000 + $$ % 10000))
  trap end_far EXIT
  start_far 2 7481 7482
  start_far 3 7483
  ramdisk "$work/ramdisk.gz" "$out" 10.9.0.1
  read -ra net < <(network 1)
  ;;
esac
run "$out" "$work/ramdisk.gz" "${NELUMBO_VM_MEMORY:-3072}" "${NELUMBO_VM_CPUS:-$((cpus < 4 ? cpus : 4))}" "${net[@]}" ||
  fail "QEMU has failed"
[ -s "$out/status" ] || fail "the virtual machine ended before the command did"
exit "$(cat "$out/status")"
