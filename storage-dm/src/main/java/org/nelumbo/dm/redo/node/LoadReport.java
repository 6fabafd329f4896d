package org.nelumbo.dm.redo.node;

import java.nio.charset.StandardCharsets;
import org.nelumbo.dm.pool.PoolLog;

/**
 * Tells a memory node how far a compute node has come that makes the pool from its log, for those
 * who ask the node meanwhile. The node forgets it when this is closed, or when the compute node's
 * connection ends. Thread-safe.
 */
public final class LoadReport implements AutoCloseable {
  private final PoolLog log;

  /** A report to the memory node that keeps that log. */
  public LoadReport(PoolLog log) {
    this.log = log;
  }

  /**
   * It has come so far.
   *
   * @param progress for people, not empty
   * @throws org.nelumbo.dm.pool.FabricException if the memory node does not answer
   */
  public void tell(String progress) {
    log.ask(LogRequest.of(LogRequest.LOADING, progress.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * It is done.
   *
   * @throws org.nelumbo.dm.pool.FabricException if the memory node does not answer
   */
  @Override
  public void close() {
    tell("");
  }
}
