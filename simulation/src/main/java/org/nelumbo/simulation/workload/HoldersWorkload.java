package org.nelumbo.simulation.workload;

import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.world.SimRandom;

/**
 * A workload on rows that each hold a unique GRP and are updated all the time, while other clients
 * try to insert rows with the same GRP: every such insert must fail.
 */
public final class HoldersWorkload implements Workload {
  /** First id of the rows that exist only for a short time. */
  private static final long OTHERS = 1000;

  private final WorkloadOptions options;
  private final int textLength;

  public HoldersWorkload(WorkloadOptions options, int textLength) {
    this.options = options;
    this.textLength = textLength;
  }

  @Override
  public void load(ClusterSession clusterSession) throws TransactionFailed {
    clusterSession.begin(options.isolation(), false);
    for (int id = 0; id < options.keys(); id++) {
      clusterSession.insert(id, 0, id, "h");
    }
    clusterSession.commit();
  }

  @Override
  public WorkloadClient newClient(int index, ClusterSession clusterSession, SimRandom random) {
    return index % 2 == 0
        ? () -> insert(index, clusterSession, random)
        : () -> change(index, clusterSession, random);
  }

  private void insert(int index, ClusterSession clusterSession, SimRandom random)
      throws TransactionFailed {
    int held = random.nextInt(options.keys());
    clusterSession.begin(options.isolation(), false);
    if (clusterSession.insert(OTHERS + index, 0, held, text(random))) {
      throw new Violation("a value of another row was inserted group=" + held);
    }
    clusterSession.commit();
  }

  /** The memory of the row that is deleted may be reused for the next record. */
  private void change(int index, ClusterSession clusterSession, SimRandom random)
      throws TransactionFailed {
    clusterSession.begin(options.isolation(), false);
    long id = random.nextInt(options.keys());
    boolean done = clusterSession.update(id, random.nextLong() >>> 1, id, text(random));
    long other = OTHERS + index;
    if (random.nextInt(2) == 0 && !clusterSession.delete(other)) {
      done &= clusterSession.insert(other, 0, other, text(random));
    }
    if (!done) {
      throw new Violation("a row is missing, or exists twice id=" + id + " or " + other);
    }
    clusterSession.commit();
  }

  private String text(SimRandom random) {
    return "t".repeat(1 + random.nextInt(textLength));
  }

  @Override
  public void check(ClusterSession clusterSession) throws TransactionFailed {
    clusterSession.begin(options.isolation(), true);
    for (int group = 0; group < options.keys(); group++) {
      int wanted = group;
      int[] rows = new int[1];
      clusterSession.scanGroup(
          group, (id, value, found) -> rows[0] += id == wanted && found == wanted ? 1 : 2);
      if (rows[0] != 1) {
        throw new Violation("a value is not held by one row group=" + group);
      }
    }
    clusterSession.commit();
  }
}
