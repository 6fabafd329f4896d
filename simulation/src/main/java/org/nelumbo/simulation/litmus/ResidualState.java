package org.nelumbo.simulation.litmus;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.nelumbo.executor.engine.HeldLocks;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.lock.LockState;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.simulation.cluster.Cluster;
import org.nelumbo.simulation.cluster.OrphanedState;
import org.nelumbo.simulation.world.SimTask;

/**
 * The state left by a stopped transaction, in the terms of the script: its locked rows and its
 * INVISIBLE cells. Transactions that waited for it and were stopped for that reason are left out.
 */
final class ResidualState {
  static final ResidualState NONE = new ResidualState(Map.of(), Set.of(), null);

  private final Map<String, String> locks;
  private final Set<String> invisible;
  private final String problem;

  private ResidualState(Map<String, String> locks, Set<String> invisible, String problem) {
    this.locks = locks;
    this.invisible = invisible;
    this.problem = problem;
  }

  /** Collects the state; called in a live simulated thread. */
  static ResidualState of(Cluster cluster, Map<String, Integer> keys, SimTask victim) {
    Map<Long, String> names = new LinkedHashMap<>();
    keys.forEach((name, key) -> names.put(lotusKey(cluster, key), name));
    OrphanedState orphanedState = OrphanedState.of(cluster);
    Map<String, String> locks = new LinkedHashMap<>();
    for (OrphanedState.LeftLock each : orphanedState.locks()) {
      if (each.owner() == victim && each.lock().granted()) {
        LockState lock = each.lock();
        locks.put(lock.isLeaf() ? "leaf" : names.get(lock.key()), mode(lock.mode()));
      }
    }
    Set<String> invisible = new TreeSet<>();
    List<String> problems = new ArrayList<>();
    for (OrphanedState.LeftCell each : orphanedState.cells()) {
      String name = names.get(each.cell().lotusKey());
      invisible.add(name);
      if (each.owner() != victim) {
        problems.add("the INVISIBLE cell of " + name + " belongs to " + each.owner());
      }
    }
    String living = heldByLiving(cluster);
    if (!living.isEmpty()) {
      problems.add("transactions that were not stopped hold locks: " + living);
    }
    return new ResidualState(
        locks, invisible, problems.isEmpty() ? null : String.join("; ", problems));
  }

  private static long lotusKey(Cluster cluster, int id) {
    KeyBuffer key = new KeyBuffer();
    cluster.table().layout().keyFormat().appendLong(key, 0, id);
    cluster.table().layout().finishKey(key);
    return key.lotusKey;
  }

  private static String mode(LockMode mode) {
    return mode == LockMode.WRITE ? "write" : mode == LockMode.READ ? "read" : "insert";
  }

  private static String heldByLiving(Cluster cluster) {
    StringBuilder text = new StringBuilder();
    for (HeldLocks held : HeldLocks.of(cluster.engine())) {
      SimTask owner = OrphanedState.owner(cluster, held.coordinator());
      if (!held.locks().isEmpty() && owner != null && !owner.isStopped()) {
        text.append(owner).append(' ').append(held.locks());
      }
    }
    return text.toString();
  }

  boolean isInvisible(String name) {
    return invisible.contains(name);
  }

  /** Returns true if the victim holds a row's write lock. */
  boolean isWriteLocked(String name) {
    return "write".equals(locks.get(name));
  }

  /** Returns true if a row is locked or INVISIBLE. */
  boolean has(String name) {
    return locks.containsKey(name) || invisible.contains(name);
  }

  /** Returns a description of state that cannot come from the victim; null if there is none. */
  String problem() {
    return problem;
  }

  /** Returns the state as in {@code locked: x write, y write; INVISIBLE: x}. */
  String describe() {
    if (locks.isEmpty() && invisible.isEmpty()) {
      return "nothing";
    }
    StringBuilder text = new StringBuilder("locked:");
    locks.forEach(
        (name, mode) -> text.append(' ').append(name).append(' ').append(mode).append(','));
    text.setLength(text.length() - 1);
    return invisible.isEmpty()
        ? text.toString()
        : text + "; INVISIBLE: " + String.join(", ", invisible);
  }
}
