package org.nelumbo.database.session;

import java.util.ArrayList;
import java.util.List;

/**
 * The portals of a session whose rows are streamed from its transaction. Before the transaction
 * ends, they are closed, or their remaining rows are read into memory. Used by one thread at a
 * time.
 */
final class OpenPortals {
  private final List<Portal> streaming = new ArrayList<>();

  boolean isEmpty() {
    return streaming.isEmpty();
  }

  void add(Portal portal) {
    streaming.add(portal);
  }

  void remove(Portal portal) {
    streaming.remove(portal);
  }

  /** Reads the remaining rows of all portals into memory. */
  void detachAll() {
    for (Portal portal : List.copyOf(streaming)) {
      portal.detach();
    }
    streaming.clear();
  }

  void closeAll() {
    for (Portal portal : streaming) {
      portal.lost();
    }
    streaming.clear();
  }
}
