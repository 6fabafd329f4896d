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
 * Who holds which lock, over all compute nodes, and what has to hold of it: no two conflict, and
 * what a transaction has read under its locks is what there is when it commits. Who is doomed holds
 * nothing; who was fenced holds what it had until it is recovered.
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

  /** The transactions that are running. */
  List<LockingTransaction> running() {
    return running;
  }

  /** A transaction has got a lock, or a stronger one. */
  void granted(LockingTransaction to, long key, LockMode mode) {
    grants++;
    if (fenced.contains(to.node()) || to.isDoomed()) {
      return;
    }
    for (LockingTransaction other : running) {
      LockMode held = other.modes().get(key);
      if (other != to && held != null && !other.isDoomed() && isConflict(held, mode)) {
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
    if (mode != LockMode.INSERT) {
      to.versions().putIfAbsent(key, versions.getOrDefault(key, 0L));
    }
  }

  private static boolean isConflict(LockMode one, LockMode other) {
    return one != other || one == LockMode.WRITE;
  }

  /** A transaction gives a lock back. */
  void released(LockingTransaction by, long key) {
    by.modes().remove(key);
  }

  /** An entry is added under an insert lock: readers must not be there. */
  void insert(LockingTransaction by, long key) {
    if (!fenced.contains(by.node()) && !by.isDoomed()) {
      versions.merge(key, 1L, Long::sum);
    }
  }

  /** A transaction that may commit writes; false if its compute node was fenced. */
  boolean commit(LockingTransaction by) {
    if (fenced.contains(by.node())) {
      return false;
    }
    if (by.isDoomed()) {
      throw new IllegalStateException("commits although its locks were taken away: " + by);
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

  /** Nothing that a compute node writes has an effect any more. */
  void fence(PeerId node) {
    fenced.add(node);
  }

  boolean isFenced(PeerId node) {
    return fenced.contains(node);
  }

  /** A fenced compute node is recovered: its transactions are over. */
  void recovered(PeerId node) {
    running.removeIf(each -> each.node().equals(node));
  }
}
