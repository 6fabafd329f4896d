package org.nelumbo.dm.node;

import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.local.NodeMemory;

/**
 * The seal on the memory of a node that no connection can change ({@link NodeMemory#seal}). The
 * memory is sealed when it has been unused for a while, and unsealed by the first connection.
 * Thread-safe.
 */
final class MemorySeal {
  /** Idle time before a seal, so that connections in quick succession do not wait for one. */
  private static final long IDLE_NANOS = 1_000_000_000L;

  private final Environment environment;
  private final NodeMemory memory;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private int users;
  private long idleSince;
  private boolean isSealed;

  MemorySeal(Environment environment, NodeMemory memory) {
    this.environment = environment;
    this.memory = memory;
    this.idleSince = environment.nanoTime();
  }

  /** Breaks the seal. When this returns, a connection may change the memory. */
  void enter() {
    lock.lock();
    try {
      users++;
      isSealed = false;
      memory.unseal();
    } finally {
      lock.unlock();
    }
  }

  /** Records that a connection that has entered no longer changes the memory. */
  void leave() {
    lock.lock();
    try {
      users--;
      idleSince = environment.nanoTime();
    } finally {
      lock.unlock();
    }
  }

  /** Seals the memory if it has been idle for long enough. */
  void look(long now) {
    lock.lock();
    try {
      if (users == 0 && !isSealed && now - idleSince >= IDLE_NANOS) {
        memory.seal(lock::hasQueuedThreads);
        isSealed = !lock.hasQueuedThreads();
      }
    } finally {
      lock.unlock();
    }
  }
}
