package org.nelumbo.database.durable;

import java.util.HashSet;
import java.util.Set;
import java.util.function.IntPredicate;
import org.nelumbo.dm.redo.node.NodeLog;
import org.nelumbo.planner.catalog.CatalogImage;
import org.nelumbo.planner.catalog.TableDefinition;

/**
 * Finds out which stores' rows are of no use any more, from the rows of the catalogue. A store that
 * no table has may be filled just now: its table is entered when that is done. But numbers are not
 * given twice, and one change of tables at a time is done; so one that has a smaller number than
 * the store of some table was dropped, or came to nothing.
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
