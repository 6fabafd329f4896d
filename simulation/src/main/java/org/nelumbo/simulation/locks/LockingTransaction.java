package org.nelumbo.simulation.locks;

import java.util.Map;
import java.util.TreeMap;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.lock.LockAcquirer;
import org.nelumbo.executor.lock.LockMode;

/** A transaction as the ledger sees it: its compute node and its locks. */
final class LockingTransaction {
  private final PeerId node;
  private final LockAcquirer locks;
  private final TreeMap<Long, LockMode> modes = new TreeMap<>();

  /** Version of the key's value when it was first locked. */
  private final TreeMap<Long, Long> versions = new TreeMap<>();

  LockingTransaction(PeerId node, LockAcquirer locks) {
    this.node = node;
    this.locks = locks;
  }

  PeerId node() {
    return node;
  }

  /** Returns true if its locks were revoked by an abort request, so that it will not commit. */
  boolean isRevoked() {
    return locks.isRevoked();
  }

  Map<Long, LockMode> modes() {
    return modes;
  }

  Map<Long, Long> versions() {
    return versions;
  }

  /** A question mark follows locks that are waited for. */
  private String states() {
    return locks.states().stream()
        .map(each -> Long.toHexString(each.key()) + ":" + each.mode() + (each.granted() ? "" : "?"))
        .toList()
        .toString();
  }

  @Override
  public String toString() {
    return "a transaction of " + node + (isRevoked() ? ", revoked," : "") + " with " + states();
  }
}
