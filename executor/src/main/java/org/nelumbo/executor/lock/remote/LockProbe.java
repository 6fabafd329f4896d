package org.nelumbo.executor.lock.remote;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;

/**
 * A probe by which a coordinator determines whether a remote lock is held for writing, with a
 * message to its owner. The thread of the coordinator sends it and waits; the reply arrives on
 * another thread.
 */
final class LockProbe {
  private static final long PROBE_NANOS = 5_000_000;

  private final Environment environment;
  private final PeerNetwork network;
  private final Supplier<ServedShards> served;
  private final int slot;
  private final ByteBuffer buffer = ByteBuffer.allocate(Long.SIZE);

  /** Guards number and isLocked. */
  private final ReentrantLock mutex = new ReentrantLock();

  private long number;

  /** Null before the first reply. */
  private Boolean isLocked;

  private volatile Thread waiter;

  LockProbe(Environment environment, PeerNetwork network, Supplier<ServedShards> served, int slot) {
    this.environment = environment;
    this.network = network;
    this.served = served;
    this.slot = slot;
  }

  /** Returns true if the lock is held for writing, or if the owner does not reply. */
  boolean mayBeLocked(long key) {
    mutex.lock();
    try {
      number++;
      isLocked = null;
    } finally {
      mutex.unlock();
    }
    waiter = Thread.currentThread();
    try {
      return probe(key);
    } finally {
      waiter = null;
    }
  }

  private boolean probe(long key) {
    long start = environment.nanoTime();
    long sent = start - CoordinatorLocks.RESEND_NANOS;
    while (environment.nanoTime() - start < PROBE_NANOS) {
      if (environment.nanoTime() - sent >= CoordinatorLocks.RESEND_NANOS) {
        sent = environment.nanoTime();
        send(key);
      }
      environment.parkNanos(CoordinatorLocks.RESEND_NANOS / 2);
      mutex.lock();
      try {
        if (isLocked != null) {
          return isLocked;
        }
      } finally {
        mutex.unlock();
      }
    }
    return true;
  }

  private void send(long key) {
    ShardMap map = served.get().map();
    PeerId owner = map.owner(LockShards.of(key));
    if (owner != null && !owner.equals(network.self())) {
      new ProbeMessage(MessageKind.PROBE, slot, number, key, map.epoch(), false).encode(buffer);
      network.send(owner, buffer);
    }
  }

  /** Processes a reply. Any thread may call this. */
  void hear(PeerId from, ProbeMessage reply) {
    int shard = LockShards.of(reply.key());
    mutex.lock();
    try {
      if (reply.number() == number && served.get().map().isGrantValid(shard, from, reply.epoch())) {
        isLocked = reply.isLocked();
      }
    } finally {
      mutex.unlock();
    }
    wake();
  }

  /** Wakes a waiting coordinator to check its state. Any thread may call this. */
  void wake() {
    Thread thread = waiter;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }
}
