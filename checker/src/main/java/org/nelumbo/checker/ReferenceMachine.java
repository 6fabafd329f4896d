package org.nelumbo.checker;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.nelumbo.history.History;
import org.nelumbo.history.HistoryRecorder;
import org.nelumbo.history.SessionRecorder;
import org.nelumbo.session.Isolation;

/**
 * A small database that is correct by construction. Serializable transactions take effect at one
 * time; snapshot transactions read at one time and commit at another unless they lose a conflict.
 * Its clients run random operations at random times, and everything is recorded. This produces
 * valid histories of any size, which a checker must accept. Not thread-safe.
 */
public final class ReferenceMachine {
  /**
   * Parameters of the clients' work.
   *
   * @param sessions number of clients
   * @param transactions total number of transactions
   * @param keys number of keys in use at a time; new keys replace them every {@code 8 * keys}
   *     transactions, so that lists stay short
   * @param operations maximum number of operations per transaction
   * @param snapshotPercent percentage of snapshot transactions
   * @param unknownPercent percentage of transactions with an outcome unknown to the client
   * @param rows true if keys are rows, false if they are lists
   * @param finalReads true if one more transaction reads all keys at the end
   */
  public record Plan(
      int sessions,
      int transactions,
      int keys,
      int operations,
      int snapshotPercent,
      int unknownPercent,
      boolean rows,
      boolean finalReads) {}

  private static final long[] EMPTY = {};
  private static final int IDLE = 0;
  private static final int BEGUN = 1;
  private static final int READ = 2;
  private static final int COMMITTED = 3;

  private final Plan plan;
  private final SplittableRandom random;
  private final HistoryRecorder recorder = new HistoryRecorder();
  private final Client[] clients;
  private final int keyCount;
  private final long[][] database;
  private final int[] changes;
  private long time;
  private long nextValue = 1;
  private int started;

  public ReferenceMachine(Plan plan, long seed) {
    this.plan = plan;
    this.random = new SplittableRandom(seed);
    this.keyCount = plan.keys() * (plan.transactions() / (8 * plan.keys()) + 1);
    this.database = new long[keyCount][];
    this.changes = new int[keyCount];
    Arrays.fill(database, EMPTY);
    this.clients = new Client[plan.sessions()];
    for (int i = 0; i < clients.length; i++) {
      clients[i] = new Client(recorder.session(i));
    }
  }

  /** Runs all transactions; returns their history. */
  public History run() {
    int active = 0;
    while (started < plan.transactions() || active > 0) {
      Client client = clients[random.nextInt(clients.length)];
      time += random.nextInt(3);
      int before = client.phase;
      client.step();
      active += (client.phase == IDLE ? 0 : 1) - (before == IDLE ? 0 : 1);
    }
    if (plan.finalReads()) {
      readAll();
    }
    return recorder.history();
  }

  private void readAll() {
    SessionRecorder session = recorder.session(clients.length);
    session.begin(Isolation.SERIALIZABLE, ++time);
    for (int key = 0; key < keyCount; key++) {
      record(session, key, database[key]);
    }
    session.committed(++time);
  }

  private void record(SessionRecorder session, int key, long[] value) {
    if (!plan.rows()) {
      session.list(key, value, 0, value.length);
    } else if (value.length == 0) {
      session.readNothing(key);
    } else {
      session.read(key, value[0]);
    }
  }

  private final class Client {
    private final SessionRecorder session;
    private final int[] keys = new int[plan.operations()];
    private final long[][] written = new long[plan.operations()][];
    private final int[] seenChanges = new int[plan.operations()];
    private int keysUsed;
    private int phase;
    private boolean snapshot;
    private boolean conflict;

    Client(SessionRecorder session) {
      this.session = session;
    }

    void step() {
      switch (phase) {
        case IDLE -> begin();
        case BEGUN -> {
          if (snapshot) {
            read();
            phase = READ;
          } else {
            read();
            commit();
            phase = COMMITTED;
          }
        }
        case READ -> {
          commit();
          phase = COMMITTED;
        }
        default -> end();
      }
    }

    private void begin() {
      if (started < plan.transactions()) {
        snapshot = random.nextInt(100) < plan.snapshotPercent();
        session.begin(snapshot ? Isolation.SNAPSHOT : Isolation.SERIALIZABLE, time);
        chooseKeys();
        started++;
        phase = BEGUN;
      }
    }

    private void chooseKeys() {
      int base = started / (8 * plan.keys()) * plan.keys();
      keysUsed = 0;
      for (int i = random.nextInt(plan.operations()); i >= 0; i--) {
        int key = base + random.nextInt(plan.keys());
        boolean used = false;
        for (int k = 0; k < keysUsed; k++) {
          used |= keys[k] == key;
        }
        if (!used) {
          keys[keysUsed++] = key;
        }
      }
    }

    private void read() {
      for (int i = 0; i < keysUsed; i++) {
        long[] value = database[keys[i]];
        seenChanges[i] = changes[keys[i]];
        written[i] = null;
        boolean writes = random.nextBoolean();
        if (plan.rows() || !writes || random.nextBoolean()) {
          record(session, keys[i], value);
        }
        if (writes) {
          written[i] = plan.rows() ? changeRow(keys[i], value) : appended(keys[i], value);
        }
      }
    }

    private long[] appended(int key, long[] value) {
      long[] longer = Arrays.copyOf(value, value.length + 1);
      longer[value.length] = nextValue;
      session.append(key, nextValue++);
      if (random.nextInt(8) == 0) {
        record(session, key, longer);
      }
      return longer;
    }

    private long[] changeRow(int key, long[] value) {
      if (value.length == 0) {
        session.insert(key, nextValue);
      } else if (random.nextInt(4) == 0) {
        session.delete(key);
        return EMPTY;
      } else {
        session.write(key, nextValue);
      }
      return new long[] {nextValue++};
    }

    private void commit() {
      conflict = false;
      for (int i = 0; i < keysUsed; i++) {
        conflict |= written[i] != null && changes[keys[i]] != seenChanges[i];
      }
      boolean lost = random.nextInt(100) < plan.unknownPercent();
      conflict |= lost && random.nextBoolean();
      for (int i = 0; i < keysUsed && !conflict; i++) {
        if (written[i] != null) {
          database[keys[i]] = written[i];
          changes[keys[i]]++;
        }
      }
      if (lost) {
        session.unknown();
      }
    }

    private void end() {
      phase = IDLE;
      if (!session.isActive()) {
        return;
      }
      if (conflict) {
        session.aborted(time);
      } else {
        session.committed(time);
      }
    }
  }
}
