package org.nelumbo.executor.recovery;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.table.TableStore;

/**
 * Prepares the tables of a pool that other compute nodes are using: nothing has to be repaired, and
 * only the locations of the tables are read.
 */
public final class DirectoryLoading implements TablePreparation {
  private final Channel channel;
  private final Map<Integer, String> damagedIds;
  private final IdentityHashMap<TableStore, String> damage = new IdentityHashMap<>();

  /**
   * @param channel channel that no other thread uses meanwhile
   * @param damagedIds ids of damaged tables, which are not read, with reasons
   */
  public DirectoryLoading(Channel channel, Map<Integer, String> damagedIds) {
    this.channel = channel;
    this.damagedIds = damagedIds;
  }

  @Override
  public void recoverCatalogue(TableStore table) {
    table.hash().load(channel);
  }

  @Override
  public void tryRecover(TableStore table) {
    String why = damagedIds.get(table.id());
    if (why != null) {
      damage.put(table, why);
    } else if (table.hash() != null) {
      table.hash().load(channel);
    }
  }

  @Override
  public Map<TableStore, String> damage() {
    return Collections.unmodifiableMap(damage);
  }
}
