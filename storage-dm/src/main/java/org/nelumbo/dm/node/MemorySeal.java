package org.nelumbo.dm.node;

import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.local.NodeMemory;

/**
 * Seal on the memory of a node without connections that may change it ({@link NodeMemory#seal}). It
 * is put on when there has been none for a while, and broken by the first one. Thread-safe.
 */
final class MemorySeal {
  /** Connections that follow each other closely do not wait for a seal between them. */
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

  /** Breaks the seal; a connection may change the memory when this returns. */
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

  /** Notes that a connection that has entered changes the memory no more. */
  void leave() {
    lock.lock();
    try {
      users--;
      idleSince = environment.nanoTime();
    } finally {
      lock.unlock();
    }
  }

  /** Puts the seal on if the memory has been idle for long enough. */
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
