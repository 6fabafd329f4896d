package org.nelumbo.dm.fabric.local;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;

/**
 * The gates of all channels of a fabric whose memory other processes may have, too. As long as they
 * do not, a change costs two stores to a gate; from {@link #noteWrites} on each WRITE of several
 * words is noted first; after {@link #shut} none is done. Thread-safe.
 */
public final class WriteGates {
  /** Far longer than a store takes to be seen by another processor. */
  private static final long SEEN_NANOS = 10_000_000L;

  private static final long LOOK_NANOS = 100_000L;

  private final Environment environment;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final Set<WriteGate> gates = new HashSet<>();
  private Notes notes;
  private boolean isShut;

  /** Memory for notes ({@link WriteNote}) that outlives this process. */
  public interface Notes {
    /** Address of a free place of {@link WriteNote#LENGTH} bytes, all zero; 0 if there is none. */
    long take();

    /** A place is not used any more, and all zero but for bytes that nobody looks at. */
    void give(long place);
  }

  /** Gates that are open, and note nothing. */
  public WriteGates(Environment environment) {
    this.environment = environment;
  }

  WriteGate open() {
    lock.lock();
    try {
      WriteGate gate = new WriteGate(this::closed);
      if (isShut) {
        gate.shut();
      } else if (notes != null) {
        gate.noteAt(place());
      }
      gates.add(gate);
      return gate;
    } finally {
      lock.unlock();
    }
  }

  private long place() {
    assert lock.isHeldByCurrentThread();
    long place = notes.take();
    if (place == 0) {
      throw new FabricException("this process has too many channels to a pool it shares", null);
    }
    return place;
  }

  private void closed(WriteGate gate, long place) {
    lock.lock();
    try {
      if (gates.remove(gate) && place > 0) {
        notes.give(place);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * When this returns, each WRITE of several words is noted before it is done, and none is in
   * progress that was not.
   *
   * @throws FabricException if there are too few places; then the same is to be done again
   */
  public void noteWrites(Notes source) {
    lock.lock();
    try {
      notes = source;
      for (WriteGate each : gates) {
        if (!isShut && !each.isNoting()) {
          each.noteAt(place());
        }
      }
      awaitIdle();
    } finally {
      lock.unlock();
    }
  }

  /** When this returns no change is in progress, and there will be none. */
  public void shut() {
    lock.lock();
    try {
      isShut = true;
      gates.forEach(WriteGate::shut);
      awaitIdle();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until what was begun before the gates were told something has ended. */
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
