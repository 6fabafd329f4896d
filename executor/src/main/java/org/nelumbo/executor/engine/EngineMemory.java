package org.nelumbo.executor.engine;

import java.util.function.LongPredicate;
import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.context.PoolMemory;
import org.nelumbo.executor.timestamp.Epochs;

/** The pool's memory as an engine presents it to its coordinators. Thread-safe. */
final class EngineMemory implements PoolMemory {
  private static final int ATTEMPTS = 100;

  private static final long POLL_NANOS = 20_000_000;

  /** Polls that do not require known garbage; about 0.2 s. */
  private static final int FIRST_POLLS = 10;

  /** About 2 s. */
  private static final int MOST_POLLS = 100;

  private final Environment environment;
  private final Fabric fabric;
  private final ChunkPool chunks;
  private final int minCopies;
  private final Epochs epochs;

  private volatile boolean wanted;

  private LongPredicate garbage = fullSince -> false;

  private volatile boolean sweeping;

  EngineMemory(
      Environment environment, Fabric fabric, ChunkPool chunks, Epochs epochs, int minCopies) {
    this.minCopies = minCopies;
    this.environment = environment;
    this.fabric = fabric;
    this.chunks = chunks;
    this.epochs = epochs;
  }

  /** Marks the begin or end of work for which the sweeper pins its epoch. */
  void setSweeping(boolean isSweeping) {
    sweeping = isSweeping;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Waits briefly for the sweeper, whose pinned epoch must not make the pool appear full.
   */
  @Override
  public void refreshHorizon() {
    for (int attempt = 0; sweeping && attempt < ATTEMPTS; attempt++) {
      environment.backoff(attempt);
    }
    epochs.refreshHorizon();
  }

  /**
   * Sets the predicate that returns true if memory is going to become free; its argument is the
   * timestamp at which the allocation failed first.
   */
  void setGarbage(LongPredicate source) {
    garbage = source;
  }

  @Override
  public boolean awaitGarbage(int attempt, long fullSince) {
    if (attempt >= MOST_POLLS || (attempt >= FIRST_POLLS && !garbage.test(fullSince))) {
      return false;
    }
    wanted = true;
    environment.parkNanos(POLL_NANOS);
    refreshHorizon();
    return true;
  }

  /** Returns true if a coordinator has waited for memory since the last call. */
  boolean takeWanted() {
    boolean was = wanted;
    wanted = false;
    return was;
  }

  @Override
  public long handedOutEnd(int node) {
    return chunks.handedOutEnd(node);
  }

  @Override
  public int liveCopies() {
    return fabric.liveCopies();
  }

  @Override
  public int minCopies() {
    return minCopies;
  }

  @Override
  public String describeFull() {
    int node = chunks.nodeOutOfSpace();
    if (node < 0) {
      return "the memory pool is full, and no memory became free while the statement waited;"
          + " delete rows, some thousands per transaction, end old snapshots, or open it with a"
          + " larger memory= setting";
    }
    String name = fabric.nodeName(node);
    return "memory node "
        + (name.isEmpty() ? node : name)
        + " cannot grow to its size: the file system of its file is full; free space there,"
        + " or delete rows, and try again; no data is lost";
  }
}
