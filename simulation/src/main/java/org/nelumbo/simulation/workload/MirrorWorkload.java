package org.nelumbo.simulation.workload;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.world.SimRandom;

/**
 * A workload on rows with mirror images: every row k of the left half has an image in the right
 * half, which is inserted, updated and deleted in the same transaction. Scans of both halves,
 * forwards and through the secondary index, must show the same rows. They detect phantoms,
 * half-visible commits and stale index entries.
 */
public final class MirrorWorkload implements Workload {
  private static final int GROUPS = 4;

  private final WorkloadOptions options;
  private final boolean indexed;
  private final int shift;

  public MirrorWorkload(WorkloadOptions options, boolean indexed) {
    this.options = options;
    this.indexed = indexed;
    this.shift = options.keys();
  }

  @Override
  public void load(ClusterSession clusterSession) throws TransactionFailed {
    clusterSession.begin(options.isolation(), false);
    for (int id = 0; id < options.keys(); id += 2) {
      clusterSession.insert(id, id, id % GROUPS, "m");
      clusterSession.insert(id + shift, id, id % GROUPS + GROUPS, "m");
    }
    clusterSession.commit();
  }

  @Override
  public WorkloadClient newClient(int index, ClusterSession clusterSession, SimRandom random) {
    return new Walker(clusterSession, random);
  }

  @Override
  public void check(ClusterSession clusterSession) throws TransactionFailed {
    Walker walker = new Walker(clusterSession, new SimRandom(0));
    walker.compareRanges(false, 0, shift - 1);
    if (indexed) {
      for (int group = 0; group < GROUPS; group++) {
        walker.compareGroups(false, group);
      }
    }
  }

  private final class Walker implements WorkloadClient {
    private final ClusterSession clusterSession;
    private final SimRandom random;
    private final TreeMap<Long, Long> left = new TreeMap<>();
    private final TreeMap<Long, Long> right = new TreeMap<>();

    Walker(ClusterSession clusterSession, SimRandom random) {
      this.clusterSession = clusterSession;
      this.random = random;
    }

    @Override
    public void transact() throws TransactionFailed {
      boolean readOnly = random.nextInt(2) == 0;
      switch (random.nextInt(4)) {
        case 0 -> {
          long low = random.nextInt(shift);
          compareRanges(readOnly, low, low + random.nextInt(shift - (int) low));
        }
        case 1 -> {
          if (indexed) {
            compareGroups(readOnly, random.nextInt(GROUPS));
          } else {
            compareRanges(readOnly, 0, shift - 1);
          }
        }
        default -> change();
      }
    }

    /** Rows of a group read before stay the same except for these changes. */
    private void change() throws TransactionFailed {
      clusterSession.begin(options.isolation(), false);
      clear();
      boolean readsBefore = indexed && random.nextInt(4) == 0;
      long read = random.nextInt(GROUPS);
      if (readsBefore) {
        clusterSession.scanGroup(read, (id, value, g) -> add(left, id, value));
      }
      Set<Long> changed = new HashSet<>();
      int count = 1 + random.nextInt(options.operations());
      for (int i = 0; i < count; i++) {
        long id = random.nextInt(shift);
        long value = random.nextInt(1000);
        long group = random.nextInt(GROUPS);
        changed.add(id);
        if (!clusterSession.read(id, true)) {
          check(clusterSession.insert(id, value, group, "i"), id);
          check(clusterSession.insert(id + shift, value, group + GROUPS, "i"), id);
        } else if (random.nextInt(2) == 0) {
          check(clusterSession.delete(id), id);
          check(clusterSession.delete(id + shift), id);
        } else {
          check(clusterSession.update(id, value, group, "u"), id);
          check(clusterSession.update(id + shift, value, group + GROUPS, "u"), id);
        }
      }
      if (readsBefore) {
        clusterSession.scanGroup(read, (id, value, g) -> add(right, id, value));
        left.keySet().removeAll(changed);
        right.keySet().removeAll(changed);
      }
      clusterSession.commit();
      compare("group " + read + " before and after changes");
    }

    private void check(boolean done, long id) {
      if (!done) {
        throw new Violation("a row and its image differ id=" + id);
      }
    }

    void compareRanges(boolean readOnly, long low, long high) throws TransactionFailed {
      clusterSession.begin(options.isolation(), readOnly);
      clear();
      clusterSession.scan(low, high, (id, value, group) -> add(left, id, value));
      clusterSession.scan(
          low + shift, high + shift, (id, value, group) -> add(right, id - shift, value));
      clusterSession.commit();
      compare("range " + low + ".." + high);
    }

    void compareGroups(boolean readOnly, int group) throws TransactionFailed {
      clusterSession.begin(options.isolation(), readOnly);
      clear();
      clusterSession.scanGroup(group, (id, value, g) -> add(left, id, value));
      clusterSession.scanGroup(group + GROUPS, (id, value, g) -> add(right, id - shift, value));
      clusterSession.commit();
      compare("group " + group);
    }

    private void clear() {
      left.clear();
      right.clear();
    }

    private static void add(Map<Long, Long> to, long id, long value) {
      if (to.put(id, value) != null) {
        throw new Violation("a scan returned a row twice id=" + id);
      }
    }

    private void compare(String what) {
      if (!left.equals(right)) {
        throw new Violation(
            "a transaction saw rows that differ from an earlier read, or from their images, in "
                + what
                + " left="
                + left
                + " right="
                + right);
      }
    }
  }
}
