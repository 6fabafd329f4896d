package org.nelumbo.simulation.disk;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.nelumbo.database.open.LocalDatabase;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Session;
import org.nelumbo.session.SessionOptions;
import org.nelumbo.session.StatementExecution;
import org.nelumbo.simulation.cluster.Violation;

/**
 * Serial transactions with consecutive numbers. A database must contain the writes of all
 * transactions up to some number, and no others. The age of each state is therefore known, even of
 * one that lacks acknowledged transactions.
 *
 * <p>Transaction N reads its number from a row, writes it into a journal, and adds amounts that
 * depend on N to two of some accounts. Thread-safe.
 */
public final class JournalWorkload {
  /** The state of a database without the tables. */
  public static final long NO_TABLES = -1;

  private static final int ACCOUNTS = 8;
  private static final int NOTE_BYTES = 150;

  /** Numbers of the last acknowledged transaction and of the last one that began to commit. */
  private final AtomicLong acknowledged = new AtomicLong(NO_TABLES);

  private final AtomicLong begun = new AtomicLong();
  private final AtomicInteger total = new AtomicInteger();
  private final LongConsumer onAcknowledged;

  /**
   * Creates a workload on a database without its tables.
   *
   * @param onAcknowledged receives the number of each acknowledged transaction
   */
  public JournalWorkload(LongConsumer onAcknowledged) {
    this.onAcknowledged = onAcknowledged;
  }

  /** Returns the number of the last acknowledged transaction. */
  public long acknowledged() {
    return acknowledged.get();
  }

  /** Returns the number of acknowledged transactions, including lost ones. */
  public int total() {
    return total.get();
  }

  /** Resets the expected state: later transactions are expected to be lost. */
  public void goBackTo(long state) {
    acknowledged.set(state);
  }

  private static int first(long number) {
    return (int) (number % ACCOUNTS);
  }

  private static int second(long number) {
    return (int) ((number * 5 + 3) % ACCOUNTS);
  }

  private static long amount(long number) {
    return number * 31 % 1_000;
  }

  private static String note(long number) {
    return (number + ":").repeat(NOTE_BYTES / 4);
  }

  /** Creates the tables if they do not exist. */
  public void begin(LocalDatabase database) {
    if (acknowledged.get() >= 0) {
      return;
    }
    try (Session session = database.connect(SessionOptions.defaults())) {
      run(session, "CREATE TABLE IF NOT EXISTS A (ID INT PRIMARY KEY, B BIGINT)");
      run(
          session,
          "CREATE TABLE IF NOT EXISTS J (N BIGINT PRIMARY KEY, F INT, NOTE VARCHAR(900))"
              + " WITH (hash = false)");
      run(session, "CREATE INDEX IF NOT EXISTS JF ON J (F)");
      run(session, "CREATE TABLE IF NOT EXISTS L (ID INT PRIMARY KEY, N BIGINT)");
      if (number(session, "SELECT COUNT(*) FROM L") == 0) {
        session.setAutoCommit(false);
        for (int id = 0; id < ACCOUNTS; id++) {
          run(session, "INSERT INTO A VALUES (" + id + ", 0)");
        }
        run(session, "INSERT INTO L VALUES (0, 0)");
        session.commit();
      }
      acknowledge(0);
    }
  }

  private static void run(Session session, String sql) {
    try (StatementExecution run = session.newExecution(session.prepare(sql))) {
      run.executeUpdate();
    }
  }

  private static long number(Session session, String sql) {
    try (StatementExecution run = session.newExecution(session.prepare(sql))) {
      run.executeQuery();
      long number = run.next() ? run.longAt(0) : NO_TABLES;
      run.closeRows();
      return number;
    }
  }

  /** Runs some transactions of one client. */
  public void transact(LocalDatabase database, int transactions) {
    try (Session session = database.connect(SessionOptions.defaults())) {
      session.setAutoCommit(false);
      for (int done = 0, attempt = 0; done < transactions; ) {
        try {
          transact(session);
          done++;
          attempt = 0;
        } catch (NelumboException e) {
          if (e.code() != ErrorCode.SERIALIZATION_FAILURE) {
            throw e;
          }
          session.rollback();
          database.engine().environment().backoff(attempt++);
        }
      }
    }
  }

  private void transact(Session session) {
    long number = number(session, "SELECT N FROM L WHERE ID = 0 FOR UPDATE") + 1;
    try (StatementExecution insert =
        session.newExecution(session.prepare("INSERT INTO J VALUES (?, ?, ?)"))) {
      insert.parameters().setLong(0, number);
      insert.parameters().setLong(1, first(number));
      insert.parameters().setObject(2, note(number));
      insert.executeUpdate();
    }
    add(session, first(number), amount(number));
    add(session, second(number), -amount(number));
    try (StatementExecution update =
        session.newExecution(session.prepare("UPDATE L SET N = ? WHERE ID = 0"))) {
      update.parameters().setLong(0, number);
      update.executeUpdate();
    }
    begun.accumulateAndGet(number, Math::max);
    session.commit();
    acknowledge(number);
    total.incrementAndGet();
  }

  private void acknowledge(long number) {
    acknowledged.accumulateAndGet(number, Math::max);
    onAcknowledged.accept(number);
  }

  private static void add(Session session, int account, long amount) {
    try (StatementExecution update =
        session.newExecution(session.prepare("UPDATE A SET B = B + ? WHERE ID = ?"))) {
      update.parameters().setLong(0, amount);
      update.parameters().setLong(1, account);
      update.executeUpdate();
    }
  }

  /**
   * Checks a database and returns its state: the number of its last transaction.
   *
   * @param least smallest allowed state
   */
  public long state(LocalDatabase database, long least) {
    try (Session session = database.connect(SessionOptions.defaults())) {
      session.setAutoCommit(false);
      long state = stateOf(session);
      session.rollback();
      if (state < least || state > begun.get()) {
        throw new Violation(
            "it has the state "
                + state
                + ", and should have one of "
                + least
                + " to "
                + begun.get());
      }
      return state;
    }
  }

  private static long stateOf(Session session) {
    long state;
    try {
      state = number(session, "SELECT N FROM L WHERE ID = 0");
    } catch (NelumboException e) {
      if (e.code() == ErrorCode.NO_SUCH_TABLE) {
        return NO_TABLES;
      }
      throw e;
    }
    if (state >= 0) {
      checkJournal(session, state);
      checkAccounts(session, state);
    }
    return state;
  }

  private static void checkJournal(Session session, long state) {
    long expected = 0;
    try (StatementExecution rows =
        session.newExecution(session.prepare("SELECT N, NOTE FROM J ORDER BY N"))) {
      rows.executeQuery();
      while (rows.next()) {
        expected++;
        if (rows.longAt(0) != expected || !note(expected).equals(rows.objectAt(1))) {
          throw new Violation("the journal has " + rows.longAt(0) + " instead of " + expected);
        }
      }
      rows.closeRows();
    }
    long indexed = 0;
    for (int value = 0; value < ACCOUNTS; value++) {
      indexed += number(session, "SELECT COUNT(NOTE) FROM J WHERE F = " + value);
    }
    if (expected != state || indexed != state) {
      throw new Violation(
          "the journal has " + expected + " rows, its index " + indexed + " of state " + state);
    }
  }

  private static void checkAccounts(Session session, long state) {
    long[] balances = new long[ACCOUNTS];
    for (long number = 1; number <= state; number++) {
      balances[first(number)] += amount(number);
      balances[second(number)] -= amount(number);
    }
    for (int id = 0; id < ACCOUNTS; id++) {
      long found = number(session, "SELECT B FROM A WHERE ID = " + id);
      if (found != balances[id]) {
        throw new Violation(
            "account " + id + " has " + found + ", and had " + balances[id] + " in state " + state);
      }
    }
  }
}
