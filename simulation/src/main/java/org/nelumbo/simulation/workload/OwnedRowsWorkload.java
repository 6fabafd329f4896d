package org.nelumbo.simulation.workload;

import java.util.Map;
import java.util.TreeMap;
import org.nelumbo.simulation.cluster.ClusterOptions;
import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.CollidingIds;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.world.SimRandom;

/**
 * A workload on rows owned by clients: each client remembers the rows it has committed. None of
 * them may be lost, and no row of an aborted transaction may be seen. Rows of different clients are
 * neighbours, so they share leaves, buckets and lock slots. There are many rows, so indexes grow
 * and shrink, and a small pool becomes full. The keys may crowd into one segment of the hash index,
 * so that it splits often.
 */
public final class OwnedRowsWorkload implements Workload {
  private final WorkloadOptions options;
  private final boolean indexed;
  private final int textLength;
  private final CollidingIds ids;

  /** Range of numbers searched for an id: large enough to contain one, whatever the crowd. */
  private final long spread;

  private final TreeMap<Integer, Owner> owners = new TreeMap<>();

  public OwnedRowsWorkload(WorkloadOptions options, ClusterOptions cluster) {
    this.options = options;
    this.indexed = cluster.indexed();
    this.textLength = cluster.textLength();
    this.ids = new CollidingIds(cluster, options.crowd());
    this.spread = options.crowd() == 0 ? 1 : 64L << options.crowd();
  }

  @Override
  public void load(ClusterSession clusterSession) {}

  @Override
  public WorkloadClient newClient(int index, ClusterSession clusterSession, SimRandom random) {
    Owner before = owners.get(index);
    if (before != null && before.before != null) {
      before = before.before; // its compute node failed before it read the rows
    }
    Owner owner = new Owner(index, clusterSession, random, before);
    owners.put(index, owner);
    return owner;
  }

  @Override
  public void check(ClusterSession clusterSession) throws TransactionFailed {
    clusterSession.begin(options.isolation(), true);
    TreeMap<Long, Long> found = new TreeMap<>();
    clusterSession.scan(0, Long.MAX_VALUE / 2, (id, value, group) -> found.put(id, value));
    clusterSession.commit();
    TreeMap<Long, Long> wanted = new TreeMap<>();
    owners.values().forEach(owner -> wanted.putAll(owner.committed));
    if (!found.equals(wanted)) {
      throw new Violation(
          "the remaining rows are not the committed ones found=" + found + " wanted=" + wanted);
    }
    for (Owner owner : owners.values()) {
      owner.checkEach(clusterSession);
    }
  }

  private final class Owner implements WorkloadClient {
    private final int index;
    private final ClusterSession clusterSession;
    private final SimRandom random;
    private final TreeMap<Long, Long> committed = new TreeMap<>();
    private TreeMap<Long, Long> mine = committed;

    /** This client on the previous compute node, until the outcome there is known. */
    private Owner before;

    /** True while a commit of this client may have happened unacknowledged. */
    private boolean uncertain;

    /** Rows found by the successor of this client, or null if it has not read them. */
    private TreeMap<Long, Long> found;

    Owner(int index, ClusterSession clusterSession, SimRandom random, Owner before) {
      this.before = before;
      this.index = index;
      this.clusterSession = clusterSession;
      this.random = random;
    }

    @Override
    public void transact() throws TransactionFailed {
      if (before != null) {
        takeOver();
      }
      mine = new TreeMap<>(committed);
      boolean readOnly = random.nextInt(8) == 0;
      clusterSession.begin(options.isolation(), readOnly);
      int count = 1 + random.nextInt(options.operations());
      for (int i = 0; i < count; i++) {
        if (readOnly || random.nextInt(4) == 0) {
          look();
        } else {
          change();
        }
      }
      if (random.nextInt(16) == 0) {
        clusterSession.abort();
        return;
      }
      commit();
    }

    private void commit() throws TransactionFailed {
      uncertain = true;
      try {
        clusterSession.commit();
        told(mine);
        committed.clear();
        committed.putAll(mine);
      } catch (TransactionFailed failed) {
        if (failed.mayHaveHappened()) {
          throw failed;
        }
        told(committed);
        uncertain = false;
        throw failed;
      }
      uncertain = false;
    }

    /**
     * Checks a commit result of a slow client against the rows that its successor may have seen
     * before.
     */
    private void told(Map<Long, Long> now) {
      if (found != null && !found.equals(now)) {
        throw new Violation(
            "the outcome reported to a client differs from the data reported="
                + now
                + " found="
                + found);
      }
    }

    /**
     * The rows must be the committed ones, with all or none of the changes of a transaction that
     * may have committed.
     */
    private void takeOver() throws TransactionFailed {
      TreeMap<Long, Long> there = new TreeMap<>();
      clusterSession.begin(options.isolation(), false);
      clusterSession.scan(
          0,
          Long.MAX_VALUE / 2,
          (id, value, group) -> {
            if (id % options.clients() == index) {
              there.put(id, value);
            }
          });
      clusterSession.commit();
      boolean unchanged = there.equals(before.committed);
      if (!unchanged && !(before.uncertain && there.equals(before.mine))) {
        throw new Violation(
            "rows are lost, or uncommitted ones are visible found="
                + there
                + " committed="
                + before.committed
                + (before.uncertain ? " perhaps=" + before.mine : ""));
      }
      before.found = there;
      committed.putAll(there);
      before = null;
    }

    /**
     * Checks every row by its key and by the secondary index: each index may have lost an entry by
     * itself.
     */
    void checkEach(ClusterSession through) throws TransactionFailed {
      through.begin(options.isolation(), true);
      for (Map.Entry<Long, Long> each : committed.entrySet()) {
        if (!through.read(each.getKey(), false) || through.value() != each.getValue()) {
          throw new Violation("a row cannot be found by its key client=" + index + " row=" + each);
        }
      }
      TreeMap<Long, Long> there = new TreeMap<>();
      if (indexed) {
        through.scanGroup(index, (id, value, group) -> there.put(id, value));
      }
      through.commit();
      if (indexed && !there.equals(committed)) {
        throw new Violation(
            "rows cannot be found by their group found=" + there + " committed=" + committed);
      }
    }

    private long someId() {
      long first = random.nextInt(options.keys()) * spread * options.clients() + index;
      return ids.from(first, options.clients());
    }

    private void change() throws TransactionFailed {
      long id = someId();
      long value = random.nextLong() >>> 1;
      boolean there = mine.containsKey(id);
      boolean done;
      if (!there) {
        done = clusterSession.insert(id, value, index, text());
        mine.put(id, value);
      } else if (random.nextInt(3) == 0) {
        done = clusterSession.delete(id);
        mine.remove(id);
      } else {
        done = clusterSession.update(id, value, index, text());
        mine.put(id, value);
      }
      if (!done) {
        throw new Violation("a row of the client has changed id=" + id + " wasThere=" + there);
      }
    }

    private String text() {
      return "t".repeat(1 + random.nextInt(textLength));
    }

    private void look() throws TransactionFailed {
      if (random.nextInt(4) == 0) {
        lookAtRange();
        return;
      }
      long id = someId();
      Long found = clusterSession.read(id, false) ? clusterSession.value() : null;
      Long wanted = mine.get(id);
      if (found == null ? wanted != null : !found.equals(wanted)) {
        throw new Violation(
            "a row of the client has changed id=" + id + " found=" + found + " wanted=" + wanted);
      }
    }

    private void lookAtRange() throws TransactionFailed {
      Map<Long, Long> found = new TreeMap<>();
      Map<Long, Long> wanted = mine;
      if (indexed && random.nextInt(2) == 0) {
        clusterSession.scanGroup(index, (id, value, group) -> found.put(id, value));
      } else {
        long low = someId();
        long high = low + spread * options.clients() * random.nextInt(16);
        wanted = mine.subMap(low, true, high, true);
        clusterSession.scan(
            low,
            high,
            (id, value, group) -> {
              if (id % options.clients() == index) {
                found.put(id, value);
              }
            });
      }
      if (!found.equals(wanted)) {
        throw new Violation("rows of the client have changed found=" + found + " wanted=" + wanted);
      }
    }
  }
}
