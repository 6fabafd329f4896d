package org.nelumbo.executor.engine;

import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.commit.LogDirectory;
import org.nelumbo.executor.context.EngineContext;
import org.nelumbo.executor.gc.OrphanedGarbage;

/** What an engine is made of, for the classes of this package. Thread-safe. */
final class EngineParts {
  final EngineContext context;
  final EngineOptions options;
  final Fabric fabric;
  final ChunkPool chunks;
  final EngineMemory memory;
  final LogDirectory logs = new LogDirectory();
  final OrphanedGarbage orphans = new OrphanedGarbage();
  private volatile boolean unclean;

  EngineParts(
      EngineContext context,
      EngineOptions options,
      Fabric fabric,
      ChunkPool chunks,
      EngineMemory memory) {
    this.context = context;
    this.options = options;
    this.fabric = fabric;
    this.chunks = chunks;
    this.memory = memory;
  }

  /** See {@link Engine#markUnclean}. */
  void markUnclean() {
    unclean = true;
  }

  boolean isUnclean() {
    return unclean;
  }
}
