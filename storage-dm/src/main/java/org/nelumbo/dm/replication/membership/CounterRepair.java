package org.nelumbo.dm.replication.membership;

import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.replication.intent.IntentTable;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.View;

/**
 * Repairs the counters of a shared pool after a change of the primary. Backups must never be behind
 * the primary. A backup may be behind a new primary if a compute node has failed while it drew a
 * number. Other compute nodes may draw numbers and repair counters at the same time, so a backup
 * may end up ahead. A node that becomes live may be behind, because a joining compute node draws
 * numbers before it reads which range is filled.
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

  /**
   * Repairs the counters of each logical node that has another primary, or one more live copy, than
   * before.
   */
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

  /**
   * Raises the counters of a copy that becomes live. No compute node draws numbers meanwhile. All
   * numbers in use are included in every copy that was live before.
   */
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
   * Returns the first copy that was live before and still is. It may differ from the previous
   * primary: if that failed when the node became live, both are in one view change.
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

  /** Reads each backup before the primary, because new numbers are drawn at backups first. */
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
