package org.nelumbo.database.session;

import java.util.ArrayList;
import java.util.List;

/**
 * The portals of a session whose rows are read from its transaction as they are asked for. Before
 * the transaction ends they are closed, or what is left of them is read into memory. One thread at
 * a time.
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

  /** Reads what is left of all of them into memory. */
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
