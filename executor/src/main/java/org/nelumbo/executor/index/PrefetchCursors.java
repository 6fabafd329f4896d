package org.nelumbo.executor.index;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.index.tree.LeafCursor;
import org.nelumbo.dm.index.tree.PrefetchedLeaves;
import org.nelumbo.executor.table.IndexStore;

/** Cursors over prefetched leaves, one for each index, created on first use. Not thread-safe. */
public final class PrefetchCursors {
  private final PrefetchedLeaves leaves;
  private final List<LeafCursor> cursors = new ArrayList<>();

  public PrefetchCursors(PrefetchedLeaves leaves) {
    this.leaves = leaves;
  }

  /** Returns the cursor of an index. Its position is undefined. */
  public LeafCursor of(IndexStore index) {
    for (int i = 0; i < cursors.size(); i++) {
      if (cursors.get(i).isOf(index.tree())) {
        return cursors.get(i);
      }
    }
    LeafCursor cursor = new LeafCursor(index.tree());
    cursor.use(leaves);
    cursors.add(cursor);
    return cursor;
  }
}
