#!/bin/busybox sh
# The first process of the virtual machine: loads modules, puts the host's files below those of the packages,
# makes the RDMA device rxe0, runs the command, and switches the machine off.
/bin/busybox --install -s /bin
mount -t proc p /proc
mount -t sysfs s /sys
mount -t devtmpfs d /dev
stty -onlcr -echo < /dev/ttyS0
for turn in 1 2 3; do # a module may need a later one
  for module in $(cat /modules/order); do
    [ -d "/sys/module/$module" ] || insmod "/modules/$module.ko" 2> /dev/null
  done
done

share() { # share TAG FOLDER OPTIONS: mounts a folder of the host
  mkdir -p "$2"
  mount -t 9p -o "trans=virtio,version=9p2000.L,msize=512000,$3" "$1" "$2" || echo "rdma-vm: no $1"
}
share host /host ro,cache=loose
share packages /packages ro,cache=loose
mkdir -p /layers /root
mount -t tmpfs -o size=60% t /layers
mkdir /layers/new /layers/work
mount -t overlay -o lowerdir=/packages:/host,upperdir=/layers/new,workdir=/layers/work o /root
mount -t proc p /root/proc
mount -t sysfs s /root/sys
mount -t devtmpfs d /root/dev
ln -s /proc/self/fd /root/dev/fd
ln -s fd/0 /root/dev/stdin
ln -s fd/1 /root/dev/stdout
ln -s fd/2 /root/dev/stderr
mkdir -p /root/dev/shm
mount -t tmpfs -o size=60% t /root/dev/shm
. /settings # out=, the folder that stays; address=, if there are other machines
share out "/root$out" rw

ip link set lo up
net=dummy0
[ -z "$address" ] || net=eth0
ip addr add "${address:-10.9.0.1}/24" dev $net
ip link set $net up
chroot /root /bin/sh -c "PATH=/usr/sbin:/usr/bin:/sbin:/bin; rdma link add rxe0 type rxe netdev $net" ||
  echo "rdma-vm: no RDMA device"
mkdir -p /root/dev/infiniband
for uverbs in /sys/class/infiniband_verbs/uverbs*; do
  node=/root/dev/infiniband/${uverbs##*/}
  number=$(cat "$uverbs/dev")
  [ -e "$node" ] || mknod "$node" c "${number%:*}" "${number#*:}"
done
manager=/sys/class/misc/rdma_cm/dev
if [ -e $manager ] && [ ! -e /root/dev/infiniband/rdma_cm ]; then
  number=$(cat $manager)
  mknod /root/dev/infiniband/rdma_cm c "${number%:*}" "${number#*:}"
fi

if [ -e "/root$out/terminal" ]; then
  setsid cttyhack chroot /root /bin/bash "$out/command"
else
  chroot /root /bin/bash "$out/command" < /dev/null
fi
echo $? > "/root$out/status"
sync
poweroff -f
