package org.nelumbo.executor.recovery;

import java.util.Map;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.table.TableStore;

/**
 * Prepares tables of a pool that other compute nodes are working on: nothing has to be put in
 * order, and only where a table lies is read.
 */
public final class DirectoryLoading implements TablePreparation {
  private final Channel channel;

  /** Reads through a channel that is nobody else's meanwhile. */
  public DirectoryLoading(Channel channel) {
    this.channel = channel;
  }

  @Override
  public void recoverCatalogue(TableStore table) {
    table.hash().load(channel);
  }

  @Override
  public void tryRecover(TableStore table) {
    table.hash().load(channel);
  }

  @Override
  public Map<TableStore, String> damage() {
    return Map.of();
  }
}
