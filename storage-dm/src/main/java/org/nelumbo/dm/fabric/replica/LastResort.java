package org.nelumbo.dm.fabric.replica;

import java.util.TreeSet;

/**
 * Which nodes to go on with if nobody can know that they have the latest state, but somebody says
 * that there is nothing better: nodes that were live in one view, the latest of which enough are
 * there, and of these only those that have not been restarted since, if that is enough. A node that
 * was being filled is never one of them: it has parts of several states.
 */
final class LastResort {
  private final Census census;
  private final Placement placement;

  LastResort(Census census, Placement placement) {
    this.census = census;
    this.placement = placement;
  }

  /** The view with that number of such nodes; null if they have not got a whole copy. */
  View find(long number) {
    TreeSet<Long> known = new TreeSet<>();
    for (int node = 0; node < census.nodes(); node++) {
      if (census.hasPool(node) && census.header(node).view() != null) {
        known.add(census.header(node).view().number());
      }
    }
    for (long each : known.descendingSet()) {
      View untouched = census.view(number, placement, members(each, false));
      View all = census.view(number, placement, members(each, true));
      if (untouched.lost() < 0) {
        return untouched;
      } else if (all.lost() < 0) {
        return all;
      }
    }
    return null;
  }

  private long members(long view, boolean restarted) {
    long members = 0;
    for (int node = 0; node < census.nodes(); node++) {
      NodeHeader header = census.hasPool(node) ? census.header(node) : null;
      if (header != null
          && header.view() != null
          && header.view().number() == view
          && header.view().isLive(node)
          && (restarted || header.incarnation() == header.view().incarnation(node))) {
        members |= 1L << node;
      }
    }
    return members;
  }
}
