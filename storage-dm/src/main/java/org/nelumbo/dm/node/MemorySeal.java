package org.nelumbo.dm.node;

import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.local.NodeMemory;

/**
 * Seal on the memory of a node that nobody is attached to ({@link NodeMemory#seal}): it is put on
 * when nobody has been for a while, and broken by the first one who comes. Thread-safe.
 */
final class MemorySeal {
  /** Those who come one after the other need not wait for a seal between. */
  private static final long IDLE_NANOS = 1_000_000_000L;

  private final Environment environment;
  private final NodeMemory memory;
  private final ReentrantLock lock = new ReentrantLock();

  /** Changed under the lock, except that who comes is counted before it takes the lock. */
  private volatile boolean isWanted;

  // Guarded by the lock.
  private int users;
  private long idleSince;
  private boolean isSealed;

  MemorySeal(Environment environment, NodeMemory memory) {
    this.environment = environment;
    this.memory = memory;
    this.idleSince = environment.nanoTime();
  }

  /** Somebody may change the memory when this returns. */
  void enter() {
    isWanted = true;
    lock.lock();
    try {
      users++;
      isSealed = false;
      memory.unseal();
    } finally {
      lock.unlock();
    }
  }

  /** One who has entered changes the memory no more. */
  void leave() {
    lock.lock();
    try {
      users--;
      idleSince = environment.nanoTime();
      isWanted = users > 0;
    } finally {
      lock.unlock();
    }
  }

  /** Puts the seal on, if it is time to. */
  void look(long now) {
    lock.lock();
    try {
      if (users == 0 && !isSealed && now - idleSince >= IDLE_NANOS) {
        memory.seal(() -> isWanted);
        isSealed = !isWanted;
      }
    } finally {
      lock.unlock();
    }
  }
}
