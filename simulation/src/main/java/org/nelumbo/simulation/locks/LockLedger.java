package org.nelumbo.simulation.locks;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.executor.lock.LockMode;

/**
 * The locks held on all compute nodes, and their invariants: no two conflict, and the data that a
 * transaction has read under its locks is current when it commits. A transaction with an abort
 * request holds no locks; a fenced compute node holds its locks until it is recovered.
 */
final class LockLedger {
  private final List<LockingTransaction> running = new ArrayList<>();
  private final Map<Long, Long> versions = new TreeMap<>();
  private final Set<PeerId> fenced = new HashSet<>();
  private long grants;
  private long commits;

  long grants() {
    return grants;
  }

  long commits() {
    return commits;
  }

  void begin(LockingTransaction transaction) {
    running.add(transaction);
  }

  /** Returns the running transactions. */
  List<LockingTransaction> running() {
    return running;
  }

  /** Records that a transaction has acquired a lock, or upgraded one. */
  void granted(LockingTransaction to, long key, LockMode mode) {
    grants++;
    if (fenced.contains(to.node()) || to.isRevoked()) {
      return;
    }
    for (LockingTransaction other : running) {
      LockMode held = other.modes().get(key);
      if (other != to && held != null && !other.isRevoked() && isConflict(held, mode)) {
        throw new IllegalStateException(
            Long.toHexString(key)
                + " is granted in mode "
                + mode
                + " to "
                + to
                + " beside "
                + other);
      }
    }
    to.modes().put(key, mode);
    if (mode != LockMode.INSERT && mode != LockMode.CHANGE) {
      to.versions().putIfAbsent(key, versions.getOrDefault(key, 0L));
    }
  }

  private static boolean isConflict(LockMode one, LockMode other) {
    return one != other || one == LockMode.WRITE || one == LockMode.CHANGE;
  }

  /** Records that a transaction releases a lock. */
  void released(LockingTransaction by, long key) {
    by.modes().remove(key);
  }

  /** Records an entry added under an insert lock: there must be no readers. */
  void insert(LockingTransaction by, long key) {
    if (!fenced.contains(by.node()) && !by.isRevoked()) {
      versions.merge(key, 1L, Long::sum);
    }
  }

  /**
   * Records the writes of a committing transaction; returns false if its compute node was fenced.
   */
  boolean commit(LockingTransaction by) {
    if (fenced.contains(by.node())) {
      return false;
    }
    if (by.isRevoked()) {
      throw new IllegalStateException("commits although its locks were revoked: " + by);
    }
    by.versions()
        .forEach(
            (key, version) -> {
              if (!versions.getOrDefault(key, 0L).equals(version)) {
                throw new IllegalStateException(
                    Long.toHexString(key) + " was changed under the locks of " + by);
              }
            });
    by.modes()
        .forEach(
            (key, mode) -> {
              if (mode == LockMode.WRITE) {
                versions.merge(key, 1L, Long::sum);
              }
            });
    commits++;
    return true;
  }

  void end(LockingTransaction transaction) {
    running.remove(transaction);
  }

  /** Fences a compute node: its writes have no effect any more. */
  void fence(PeerId node) {
    fenced.add(node);
  }

  boolean isFenced(PeerId node) {
    return fenced.contains(node);
  }

  /** Ends the transactions of a fenced compute node, which is recovered. */
  void recovered(PeerId node) {
    running.removeIf(each -> each.node().equals(node));
  }
}
