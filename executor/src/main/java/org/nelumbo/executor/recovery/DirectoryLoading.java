package org.nelumbo.executor.recovery;

import java.util.Map;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.table.TableStore;

/**
 * Prepares the tables of a pool that other compute nodes are using: nothing has to be repaired, and
 * only the locations of the tables are read.
 */
public final class DirectoryLoading implements TablePreparation {
  private final Channel channel;

  /**
   * @param channel channel that no other thread uses meanwhile
   */
  public DirectoryLoading(Channel channel) {
    this.channel = channel;
  }

  @Override
  public void recoverCatalogue(TableStore table) {
    table.hash().load(channel);
  }

  @Override
  public void tryRecover(TableStore table) {
    if (table.hash() != null) {
      table.hash().load(channel);
    }
  }

  @Override
  public Map<TableStore, String> damage() {
    return Map.of();
  }
}
