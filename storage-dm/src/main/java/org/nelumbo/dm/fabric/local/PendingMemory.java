package org.nelumbo.dm.fabric.local;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.MemorySource;

/**
 * Content of a node's memory that is being loaded from elsewhere, piece by piece. A background
 * thread loads one piece after the other; a channel that needs an absent piece loads it itself.
 * Thread-safe.
 *
 * <p>A piece is absent, coming or there. Until it is there, only the thread that loads it reads or
 * writes its memory.
 */
final class PendingMemory {
  private static final int ABSENT = 0;
  private static final int COMING = 1;
  private static final int THERE = 2;

  private final Environment environment;
  private final MemorySource source;
  private final long base;
  private final int pieceBytes;
  private final AtomicIntegerArray states;
  private final AtomicInteger missing;
  private volatile FabricException failure;
  private volatile boolean isStopped;

  /**
   * Creates the state of content of which no piece is loaded yet.
   *
   * @param base address of the node's memory
   */
  PendingMemory(Environment environment, MemorySource source, long base) {
    this.environment = environment;
    this.source = source;
    this.base = base;
    this.pieceBytes = source.pieceBytes();
    int pieces = Math.toIntExact((source.bytes() + pieceBytes - 1) / pieceBytes);
    this.states = new AtomicIntegerArray(pieces);
    this.missing = new AtomicInteger(pieces);
  }

  /** Returns true if all pieces are loaded. */
  boolean isComplete() {
    return missing.get() == 0;
  }

  /** Loads all absent pieces unless it is stopped; closes the source. */
  void run() {
    try (source) {
      for (int piece = 0; piece < states.length() && !isStopped; piece++) {
        bring(piece);
      }
      for (int attempt = 0; missing.get() > 0 && failure == null && !isStopped; attempt++) {
        environment.backoff(attempt); // wait for channels that still use the source
      }
    } catch (FabricException e) {
      failure = e; // reported to channels that await a piece
    }
  }

  /** Makes {@link #run} end soon. The memory is no longer in use. */
  void stop() {
    isStopped = true;
  }

  /**
   * Waits until a range is loaded.
   *
   * @throws FabricException if it cannot be loaded; after that every call fails
   */
  void await(long offset, long length) {
    int last = (int) Math.min((offset + length - 1) / pieceBytes, states.length() - 1L);
    for (int piece = (int) Math.min(offset / pieceBytes, states.length()); piece <= last; piece++) {
      for (int attempt = 0; !bring(piece); attempt++) {
        environment.backoff(attempt);
      }
    }
    checkNotFailed();
  }

  private void checkNotFailed() {
    FabricException why = failure;
    if (why != null) {
      throw new FabricException(why.getMessage(), why);
    }
  }

  private boolean bring(int piece) {
    checkNotFailed();
    if (states.get(piece) != ABSENT || !states.compareAndSet(piece, ABSENT, COMING)) {
      return states.get(piece) == THERE;
    }
    try {
      long offset = (long) piece * pieceBytes;
      long length = Math.min(pieceBytes, source.bytes() - offset);
      source.read(
          offset, MemorySegment.ofAddress(base + offset).reinterpret(length).asByteBuffer());
    } catch (RuntimeException | Error e) {
      FabricException why =
          e instanceof FabricException known ? known : new FabricException(e.toString(), e);
      failure = why;
      throw why;
    }
    states.set(piece, THERE);
    missing.decrementAndGet();
    return true;
  }
}
