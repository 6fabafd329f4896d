package org.nelumbo.executor.engine;

import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.context.PoolMemory;
import org.nelumbo.executor.timestamp.Epochs;

/** The pool's memory as an engine hands it to its coordinators. Thread-safe. */
final class EngineMemory implements PoolMemory {
  private static final int ATTEMPTS = 100;

  private final Environment environment;
  private final Fabric fabric;
  private final ChunkPool chunks;
  private final Epochs epochs;

  /** The sweeper has pinned its epoch. */
  private volatile boolean sweeping;

  EngineMemory(Environment environment, Fabric fabric, ChunkPool chunks, Epochs epochs) {
    this.environment = environment;
    this.fabric = fabric;
    this.chunks = chunks;
    this.epochs = epochs;
  }

  /** The sweeper begins, or ends, something for which it pins its epoch. */
  void setSweeping(boolean isSweeping) {
    sweeping = isSweeping;
  }

  /** Waits, but not for long, for the sweeper: its epoch is no reason for a full pool. */
  @Override
  public void refreshHorizon() {
    for (int attempt = 0; sweeping && attempt < ATTEMPTS; attempt++) {
      environment.backoff(attempt);
    }
    epochs.refreshHorizon();
  }

  @Override
  public long takenBytes(int node) {
    return chunks.takenBytes(node);
  }

  @Override
  public String describeFull() {
    int node = chunks.nodeOutOfSpace();
    if (node < 0) {
      return "the memory pool is full; delete rows or open it with a larger memory= setting";
    }
    String name = fabric.nodeName(node);
    return "memory node "
        + (name.isEmpty() ? node : name)
        + " cannot grow to its size: the file system that its file is on is full; make room there,"
        + " or delete rows, and try again; nothing is lost";
  }
}
