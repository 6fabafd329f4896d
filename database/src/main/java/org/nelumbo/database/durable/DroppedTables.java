package org.nelumbo.database.durable;

import java.util.HashSet;
import java.util.Set;
import java.util.function.IntPredicate;
import org.nelumbo.dm.redo.node.NodeLog;
import org.nelumbo.planner.catalog.CatalogImage;
import org.nelumbo.planner.catalog.TableDefinition;

/**
 * Finds the stores whose rows are obsolete from the rows of the catalog. A store without a table
 * may be in the process of being filled: its table is published afterwards. But numbers are not
 * reused, and table changes run one at a time. Therefore a store without a table whose number is
 * smaller than the number of some table's store belongs to a dropped table or to a failed change.
 */
public final class DroppedTables implements NodeLog.DroppedStores {
  private final CatalogImage image = new CatalogImage();

  @Override
  public void row(
      int store, byte[] bytes, int offset, int keyLength, int imageLength, boolean isDeleted) {
    image.row(store, bytes, offset, keyLength, imageLength, isDeleted);
  }

  @Override
  public IntPredicate isDropped() {
    Set<Integer> present = new HashSet<>();
    int newest = 0;
    for (TableDefinition table : image.tables()) {
      present.add(table.storeId());
      newest = Math.max(newest, table.storeId());
    }
    int last = newest;
    return store -> store != CatalogImage.STORE && store < last && !present.contains(store);
  }
}
