package org.nelumbo.dm.fabric.local;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;

/**
 * The gates of all channels of a fabric whose memory other processes may map. While no other
 * process does, a change costs two stores to its gate. After {@link #noteWrites} each WRITE of
 * several words is noted first; after {@link #shut} all changes are refused. Thread-safe.
 */
public final class WriteGates {
  /** Waiting time, far longer than a store takes to become visible to another processor. */
  private static final long SEEN_NANOS = 10_000_000L;

  private static final long LOOK_NANOS = 100_000L;

  private final Environment environment;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final Set<WriteGate> gates = new HashSet<>();
  private Notes notes;
  private boolean isShut;

  /** The failure that shut the gates; null if the pool was released in order. */
  private Throwable reason;

  /** Memory for notes ({@link WriteNote}) that outlives this process. */
  public interface Notes {
    /**
     * Takes a free note.
     *
     * @return the address of {@link WriteNote#LENGTH} bytes, all zero
     * @throws FabricException if no note is free
     */
    long take();

    /**
     * Returns a note that is no longer used. Its length is zero; its other bytes are irrelevant.
     */
    void give(long noteAddress);
  }

  /** Creates the gates of a fabric; gates are open and do not note WRITEs. */
  public WriteGates(Environment environment) {
    this.environment = environment;
  }

  WriteGate open() {
    lock.lock();
    try {
      WriteGate gate = new WriteGate(this::closed);
      if (isShut) {
        gate.shut(reason);
      } else if (notes != null) {
        gate.noteAt(notes.take());
      }
      gates.add(gate);
      return gate;
    } finally {
      lock.unlock();
    }
  }

  private void closed(WriteGate gate, long noteAddress) {
    lock.lock();
    try {
      if (gates.remove(gate) && noteAddress > 0) {
        notes.give(noteAddress);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes all channels note each WRITE of several words before executing it. When this returns, no
   * such WRITE is in progress without a note.
   *
   * @throws FabricException if there are too few notes; then the caller must call this again
   */
  public void noteWrites(Notes source) {
    lock.lock();
    try {
      notes = source;
      for (WriteGate each : gates) {
        if (!isShut && !each.isNoting()) {
          each.noteAt(notes.take());
        }
      }
      awaitIdle();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Shuts all gates. When this returns, no change is in progress, and all later ones are refused.
   *
   * @param why the failure after which the pool is released, the cause of the exceptions of later
   *     verbs; null if the pool is released in order
   */
  public void shut(Throwable why) {
    lock.lock();
    try {
      if (!isShut) {
        isShut = true;
        reason = why;
      }
      gates.forEach(gate -> gate.shut(reason));
      awaitIdle();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all changes have ended that began before the gates were changed. */
  private void awaitIdle() {
    assert lock.isHeldByCurrentThread();
    long start = environment.nanoTime();
    while (environment.nanoTime() - start < SEEN_NANOS) {
      environment.parkNanos(SEEN_NANOS);
    }
    for (WriteGate each : gates) {
      while (each.isBusy()) {
        environment.parkNanos(LOOK_NANOS);
      }
    }
  }
}
