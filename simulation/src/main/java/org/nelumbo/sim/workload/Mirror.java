package org.nelumbo.sim.workload;

import java.util.Map;
import java.util.TreeMap;
import org.nelumbo.sim.cluster.Rows;
import org.nelumbo.sim.cluster.TransactionFailed;
import org.nelumbo.sim.cluster.Violation;
import org.nelumbo.sim.world.SimRandom;

/**
 * Every row k of the left half has a mirror image in the right half: inserted, changed, deleted in
 * one transaction. Scans of both halves, forwards and through the secondary index, must show the
 * same rows: phantoms, half-visible commits and stale index entries would show.
 */
public final class Mirror implements Workload {
  private static final int GROUPS = 4;

  private final WorkloadOptions options;
  private final boolean indexed;
  private final int shift;

  public Mirror(WorkloadOptions options, boolean indexed) {
    this.options = options;
    this.indexed = indexed;
    this.shift = options.keys();
  }

  @Override
  public void load(Rows rows) throws TransactionFailed {
    rows.begin(options.isolation(), false);
    for (int id = 0; id < options.keys(); id += 2) {
      rows.insert(id, id, id % GROUPS, "m");
      rows.insert(id + shift, id, id % GROUPS + GROUPS, "m");
    }
    rows.commit();
  }

  @Override
  public Client newClient(int index, Rows rows, SimRandom random) {
    return new Walker(rows, random);
  }

  @Override
  public void check(Rows rows) throws TransactionFailed {
    Walker walker = new Walker(rows, new SimRandom(0));
    walker.compareRanges(false, 0, shift - 1);
    if (indexed) {
      for (int group = 0; group < GROUPS; group++) {
        walker.compareGroups(false, group);
      }
    }
  }

  private final class Walker implements Client {
    private final Rows rows;
    private final SimRandom random;
    private final TreeMap<Long, Long> left = new TreeMap<>();
    private final TreeMap<Long, Long> right = new TreeMap<>();

    Walker(Rows rows, SimRandom random) {
      this.rows = rows;
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

    /** Changes some rows and their images. */
    private void change() throws TransactionFailed {
      rows.begin(options.isolation(), false);
      int count = 1 + random.nextInt(options.operations());
      for (int i = 0; i < count; i++) {
        long id = random.nextInt(shift);
        long value = random.nextInt(1000);
        long group = random.nextInt(GROUPS);
        if (!rows.read(id, true)) {
          check(rows.insert(id, value, group, "i"), id);
          check(rows.insert(id + shift, value, group + GROUPS, "i"), id);
        } else if (random.nextInt(2) == 0) {
          check(rows.delete(id), id);
          check(rows.delete(id + shift), id);
        } else {
          check(rows.update(id, value, group, "u"), id);
          check(rows.update(id + shift, value, group + GROUPS, "u"), id);
        }
      }
      rows.commit();
    }

    private void check(boolean done, long id) {
      if (!done) {
        throw new Violation("a row and its image differ id=" + id);
      }
    }

    void compareRanges(boolean readOnly, long low, long high) throws TransactionFailed {
      rows.begin(options.isolation(), readOnly);
      clear();
      rows.scan(low, high, (id, value, group) -> add(left, id, value));
      rows.scan(low + shift, high + shift, (id, value, group) -> add(right, id - shift, value));
      rows.commit();
      compare("range " + low + ".." + high);
    }

    void compareGroups(boolean readOnly, int group) throws TransactionFailed {
      rows.begin(options.isolation(), readOnly);
      clear();
      rows.scanGroup(group, (id, value, g) -> add(left, id, value));
      rows.scanGroup(group + GROUPS, (id, value, g) -> add(right, id - shift, value));
      rows.commit();
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
            "a transaction saw rows without their images in "
                + what
                + " left="
                + left
                + " right="
                + right);
      }
    }
  }
}
