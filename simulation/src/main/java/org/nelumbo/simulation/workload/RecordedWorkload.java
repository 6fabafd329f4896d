package org.nelumbo.simulation.workload;

import java.util.function.LongSupplier;
import org.nelumbo.checker.HistoryChecker;
import org.nelumbo.checker.Verdict;
import org.nelumbo.history.HistoryRecorder;
import org.nelumbo.history.SessionRecorder;
import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.cluster.ClusterOptions;
import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.world.SimRandom;

/**
 * Random transactions whose history is recorded and judged by the checker of isolation levels.
 * Registers: rows are read, written, inserted, deleted and scanned. Lists: values are appended to
 * the TXT of rows, and read. Every value is written once.
 *
 * <p>Some transactions read cuts by a timestamp. These may separate two transactions that only a
 * client connects, if they are less than {@link #LIMIT_NANOS} apart.
 */
public final class RecordedWorkload implements Workload {
  private static final long[] EMPTY = new long[0];

  /** See {@code docs/internals/commit-vector.md}. */
  private static final long LIMIT_NANOS = 30_000_000;

  private final WorkloadOptions options;
  private final boolean lists;
  private final boolean scans;
  private final int textLength;
  private final LongSupplier now;

  /** All transactions, with the limit of cuts. */
  private final HistoryRecorder withCuts = new HistoryRecorder();

  /** The transactions that do not read cuts. */
  private final HistoryRecorder recorder;

  private long lastValue;
  private int lastSession;

  /**
   * Creates a workload.
   *
   * @param lists whether rows are lists rather than registers
   * @param cluster determines whether ranges can be scanned in key order, and the length of texts
   * @param now virtual time
   */
  public RecordedWorkload(
      WorkloadOptions options, boolean lists, ClusterOptions cluster, LongSupplier now) {
    this.options = options;
    this.lists = lists;
    this.scans = !lists && cluster.ordered();
    this.textLength = cluster.textLength();
    this.now = now;
    this.recorder =
        options.cuts() > 0 ? new HistoryRecorder(withCuts, LIMIT_NANOS) : new HistoryRecorder();
  }

  @Override
  public void load(ClusterSession clusterSession) {}

  @Override
  public WorkloadClient newClient(int index, ClusterSession clusterSession, SimRandom random) {
    int id = ++lastSession;
    return new Recording(clusterSession, random, recorder.session(id), withCuts.session(id));
  }

  @Override
  public boolean allowsEmptying() {
    return !lists;
  }

  /** Removes all rows, and records it as one transaction that deletes every row, present or not. */
  @Override
  public void empty(Emptying emptying) throws TransactionFailed {
    SessionRecorder session = recorder.session(++lastSession);
    session.begin(options.isolation(), now.getAsLong());
    for (int key = 0; key < options.keys(); key++) {
      session.delete(key);
    }
    try {
      if (emptying.run()) {
        session.committed(now.getAsLong());
      } else {
        session.aborted(now.getAsLong());
      }
    } catch (TransactionFailed e) {
      session.unknown();
      throw e;
    }
  }

  @Override
  public void check(ClusterSession clusterSession) {
    check(recorder);
    if (options.cuts() > 0) {
      check(withCuts);
    }
  }

  private static void check(HistoryRecorder of) {
    Verdict verdict = HistoryChecker.check(of.history());
    if (!verdict.isValid()) {
      throw new Violation("the history violates the isolation level: " + verdict);
    }
  }

  private final class Recording implements WorkloadClient {
    private final ClusterSession clusterSession;
    private final SimRandom random;
    private final SessionRecorder session;
    private final SessionRecorder cutSession;
    private boolean lastReadFound;

    Recording(
        ClusterSession clusterSession,
        SimRandom random,
        SessionRecorder session,
        SessionRecorder cutSession) {
      this.clusterSession = clusterSession;
      this.random = random;
      this.session = session;
      this.cutSession = cutSession;
    }

    @Override
    public void transact() throws TransactionFailed {
      if (options.cuts() > 0 && random.chance(options.cuts())) {
        readCut();
        return;
      }
      if (!lists && random.nextInt(8) == 0) {
        readAlone(random.nextInt(options.keys()));
        return;
      }
      boolean readOnly = random.nextInt(4) == 0;
      session.begin(options.isolation(), now.getAsLong());
      try {
        clusterSession.begin(options.isolation(), readOnly);
        for (int left = 1 + random.nextInt(options.operations()); left > 0; left--) {
          operate(random.nextInt(options.keys()), readOnly);
        }
        clusterSession.commit();
        session.committed(now.getAsLong());
      } catch (TransactionFailed e) {
        if (e.mayHaveHappened()) {
          session.unknown();
        } else {
          session.aborted(now.getAsLong());
        }
        throw e;
      }
    }

    private void readCut() throws TransactionFailed {
      cutSession.begin(options.isolation(), now.getAsLong());
      try {
        clusterSession.beginCut();
        for (int key = 0; key < options.keys(); key++) {
          if (clusterSession.read(key, false)) {
            cutSession.read(key, clusterSession.value());
          } else {
            cutSession.readNothing(key);
          }
        }
        clusterSession.commit();
        cutSession.committed(now.getAsLong());
      } catch (TransactionFailed e) {
        cutSession.aborted(now.getAsLong());
        throw e;
      }
    }

    /** The row seen by the client counts, however the transaction ends. */
    private void readAlone(int key) throws TransactionFailed {
      session.begin(options.isolation(), now.getAsLong());
      boolean[] seen = new boolean[1];
      try {
        boolean there =
            clusterSession.readAlone(
                options.isolation(),
                key,
                () -> {
                  seen[0] = true;
                  session.read(key, clusterSession.value());
                  session.committed(now.getAsLong());
                });
        if (!there) {
          session.readNothing(key);
          session.committed(now.getAsLong());
        }
      } catch (TransactionFailed e) {
        if (!seen[0]) {
          session.aborted(now.getAsLong());
        }
        throw e;
      }
    }

    private void operate(int key, boolean readOnly) throws TransactionFailed {
      boolean reads = readOnly || random.nextInt(2) == 0;
      if (lists) {
        if (reads) {
          list(key);
        } else {
          append(key);
        }
      } else if (!reads) {
        change(key);
      } else if (scans && random.nextInt(4) == 0) {
        scan(key, key + random.nextInt(options.keys()));
      } else {
        read(key, !readOnly && random.nextInt(8) == 0);
      }
    }

    private void list(int key) throws TransactionFailed {
      long[] elements = clusterSession.read(key, false) ? elements(clusterSession.text()) : EMPTY;
      session.list(key, elements, 0, elements.length);
    }

    private void append(int key) throws TransactionFailed {
      long value = ++lastValue;
      boolean done =
          clusterSession.read(key, true)
              ? clusterSession.update(key, value, 0, clusterSession.text() + " " + value)
              : clusterSession.insert(key, value, 0, Long.toString(value));
      if (!done) {
        throw new Violation("a row changed under its write lock id=" + key);
      }
      session.append(key, value);
    }

    private static long[] elements(String text) {
      String[] parts = text.split(" ", -1);
      long[] elements = new long[parts.length];
      for (int i = 0; i < parts.length; i++) {
        elements[i] = Long.parseLong(parts[i]);
      }
      return elements;
    }

    private void change(int key) throws TransactionFailed {
      long value = ++lastValue;
      if (random.nextInt(8) == 0) {
        insertBlindly(key, value);
      } else if (random.nextInt(4) == 0) {
        if (clusterSession.delete(key)) {
          session.delete(key);
        } else {
          session.readNothing(key);
        }
      } else if (clusterSession.update(key, value, 0, text(value))) {
        session.write(key, value);
      } else {
        session.readNothing(key);
        insert(key, value);
      }
    }

    /** If the value is taken, a serializable transaction must find the row that has it. */
    private void insertBlindly(int key, long value) throws TransactionFailed {
      if (clusterSession.insert(key, value, 0, text(value))) {
        session.readNothing(key);
        session.insert(key, value);
      } else if (options.isolation() == Isolation.SERIALIZABLE) {
        read(key, false);
        if (!lastReadFound) {
          throw new Violation("an existing row cannot be found id=" + key);
        }
      }
    }

    private void insert(int key, long value) throws TransactionFailed {
      if (!clusterSession.insert(key, value, 0, text(value))) {
        throw new Violation("a missing row cannot be inserted id=" + key);
      }
      session.insert(key, value);
    }

    /** The length depends on the value, so that records have different sizes. */
    private String text(long value) {
      return "t".repeat(1 + (int) (value % textLength));
    }

    private void read(int key, boolean forUpdate) throws TransactionFailed {
      lastReadFound = clusterSession.read(key, forUpdate);
      if (lastReadFound) {
        session.read(key, clusterSession.value());
      } else {
        session.readNothing(key);
      }
    }

    private void scan(int low, int high) throws TransactionFailed {
      long[] found = new long[2 * (high - low + 1)];
      int[] count = new int[1];
      clusterSession.scan(
          low,
          high,
          (id, value, group) -> {
            found[count[0]++] = id;
            found[count[0]++] = value;
          });
      session.scan(low, high);
      for (int i = 0; i < count[0]; i += 2) {
        session.scanned((int) found[i], found[i + 1]);
      }
    }
  }
}
