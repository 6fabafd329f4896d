package org.nelumbo.dm.redo.node;

import java.nio.charset.StandardCharsets;
import org.nelumbo.dm.pool.PoolLog;

/**
 * Reports to a memory node the progress of a compute node that builds the pool from the node's log;
 * the node shows it in its status. The node discards it when this is closed, or when the compute
 * node's connection ends. Thread-safe.
 */
public final class LoadReport implements AutoCloseable {
  private final PoolLog log;

  /** Creates a report to the memory node that keeps a log. */
  public LoadReport(PoolLog log) {
    this.log = log;
  }

  /**
   * Sends the progress.
   *
   * @param progress text for users, not empty
   * @throws org.nelumbo.dm.pool.FabricException if the memory node does not respond
   */
  public void tell(String progress) {
    log.ask(LogRequest.of(LogRequest.LOADING, progress.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Reports the end of loading.
   *
   * @throws org.nelumbo.dm.pool.FabricException if the memory node does not respond
   */
  @Override
  public void close() {
    tell("");
  }
}
