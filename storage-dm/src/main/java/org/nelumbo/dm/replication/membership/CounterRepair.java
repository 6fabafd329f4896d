package org.nelumbo.dm.replication.membership;

import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.replication.intent.IntentTable;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.View;

/**
 * Repair of the counters of a pool that several compute nodes share, when there is another primary:
 * backups must never be behind it, and another backup may be, if somebody has died while it drew a
 * number. Others may draw numbers meanwhile, and repair, too: so a backup may come out ahead. A
 * node that becomes live may be behind, as who enters the pool draws numbers before it knows what
 * is filled.
 */
final class CounterRepair {
  private static final int[] COUNTERS = {
    SuperblockLayout.BUMP_OFFSET, SuperblockLayout.CLOCK_OFFSET, SuperblockLayout.JOINS_OFFSET
  };

  private final View view;
  private final Placement placement;
  private final IntentTable table;

  CounterRepair(View view, IntentTable table) {
    this.view = view;
    this.placement = view.placement();
    this.table = table;
  }

  /** Repairs what has another primary than before, or one more copy. */
  void run(View before) {
    for (int logical = 0; logical < placement.logicals(); logical++) {
      for (int copy = 0; copy < placement.copies(); copy++) {
        int node = placement.node(logical, copy);
        if (view.isLive(node) && !before.isLive(node)) {
          raise(logical, copy, before);
        }
      }
    }
    for (int logical = 0; logical < placement.logicals(); logical++) {
      if (view.primaryCopy(logical) != before.primaryCopy(logical)) {
        for (int counter : COUNTERS) {
          if (isCounter(logical, counter)) {
            repair(logical, counter);
          }
        }
      }
    }
  }

  private static boolean isCounter(int logical, int counter) {
    return logical == 0 || counter == SuperblockLayout.BUMP_OFFSET;
  }

  /** Nobody draws numbers meanwhile: what is in use is in every copy that was live before. */
  private void raise(int logical, int copy, View before) {
    int from = copyLeft(logical, before);
    for (int counter : COUNTERS) {
      if (isCounter(logical, counter)) {
        long drawn =
            table.word(placement.node(logical, from), placement.offset(logical, from, counter));
        table.raise(placement.node(logical, copy), placement.offset(logical, copy, counter), drawn);
      }
    }
  }

  /**
   * The first copy that was live before and is now. It need not be the one that was the primary
   * before: if that has failed as the node became live, both are in one change of the view.
   */
  private int copyLeft(int logical, View before) {
    int copy = 0;
    while (!isLeft(placement.node(logical, copy), before)) {
      copy++;
    }
    return copy;
  }

  private boolean isLeft(int node, View before) {
    return view.isLive(node) && before.isLive(node);
  }

  /** Reads backups first: numbers that are drawn meanwhile come to them first. */
  private void repair(int logical, int counter) {
    int primary = view.primaryCopy(logical);
    for (int copy = placement.copies() - 1; copy > primary; copy--) {
      int node = placement.node(logical, copy);
      if (view.isLive(node)) {
        long at = placement.offset(logical, copy, counter);
        long backup = table.word(node, at);
        long ahead =
            table.word(view.primary(logical), placement.offset(logical, primary, counter)) - backup;
        if (ahead > 0) {
          table.add(node, at, ahead);
        }
      }
    }
  }
}
