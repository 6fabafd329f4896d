package org.nelumbo.soak.client;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.nelumbo.session.Isolation;

/**
 * A session that moves money, appends to lists, and writes, inserts, deletes and scans registers,
 * and reports every transaction. It reopens its connection after a loss. For one thread.
 */
final class WorkSession implements Runnable {
  private static final long RETRY_NANOS = 50_000_000L;
  private static final int LIST_CHARACTERS_MAX = 3_000;

  private final String url;
  private final int session;
  private final IntSupplier currentRound;
  private final Reports reports;
  private final Random random;
  private final TransactionText text = new TransactionText();
  private long number;
  private int round;
  private Isolation isolation = Isolation.SERIALIZABLE;
  private boolean asked;
  private long wrongSum;

  WorkSession(String url, int session, long seed, IntSupplier currentRound, Reports reports) {
    this.url = url;
    this.session = session;
    this.currentRound = currentRound;
    this.reports = reports;
    this.random = new Random(seed * 31 + session);
  }

  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted()) {
      awaitFirstRound();
      try (Connection connection = DriverManager.getConnection(url)) {
        connection.setAutoCommit(false);
        work(connection);
      } catch (SQLException | RuntimeException | Error e) {
        reports.judge(e);
      }
      leave();
      LockSupport.parkNanos(RETRY_NANOS);
    }
  }

  private void awaitFirstRound() {
    while (currentRound.getAsInt() == 0) {
      LockSupport.parkNanos(RETRY_NANOS);
    }
  }

  private void work(Connection connection) throws SQLException {
    try (Statements statements = new Statements(connection)) {
      while (true) {
        if (round == 0) {
          enter();
        } else if (round != currentRound.getAsInt()) {
          if (transact(connection, () -> readAll(statements))) {
            leave();
          }
        } else {
          transact(connection, () -> anything(statements));
        }
      }
    }
  }

  private void enter() {
    round = currentRound.getAsInt();
    reports.say(Reports.ENTERED, session + " " + round);
  }

  private void leave() {
    if (round > 0) {
      reports.say(Reports.DONE, session + " " + round);
    }
    round = 0;
  }

  private interface Body {
    void run() throws SQLException;
  }

  /** Returns true if the commit was acknowledged. */
  private boolean transact(Connection connection, Body body) throws SQLException {
    text.clear();
    asked = false;
    wrongSum = 0;
    number++;
    isolation = random.nextInt(4) == 0 ? Isolation.SNAPSHOT : Isolation.SERIALIZABLE;
    connection.setTransactionIsolation(
        isolation == Isolation.SERIALIZABLE
            ? Connection.TRANSACTION_SERIALIZABLE
            : Connection.TRANSACTION_REPEATABLE_READ);
    long began = System.nanoTime();
    try {
      body.run();
      ask(began);
      connection.commit();
      reports.say(Reports.COMMITTED, session + " " + System.nanoTime());
      if (wrongSum != 0) {
        reports.say(Reports.WRONG, "a transaction that has committed saw money=" + wrongSum);
      }
      return true;
    } catch (SQLException e) {
      boolean known = isAborted(e);
      end(began, known);
      reports.judge(e);
      if (!known) {
        throw e;
      }
      connection.rollback();
      return false;
    } catch (RuntimeException | Error e) {
      end(began, false);
      throw e;
    }
  }

  private static boolean isAborted(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.startsWith("40") || state.startsWith("23") || state.startsWith("53");
  }

  private void ask(long began) {
    asked = true;
    reports.say(
        Reports.TRANSACTION, session + " " + round + " " + isolation + " " + began + " " + text);
  }

  private void end(long began, boolean aborted) {
    boolean certain = aborted || !asked;
    if (!asked) {
      ask(began);
    }
    if (certain) {
      reports.say(Reports.ABORTED, session + " " + System.nanoTime());
    } else {
      reports.say(Reports.UNKNOWN, Integer.toString(session));
    }
  }

  private void anything(Statements statements) throws SQLException {
    switch (random.nextInt(6)) {
      case 0, 1 -> moveMoney(statements);
      case 2 -> appendToLists(statements);
      case 3, 4 -> changeRegisters(statements);
      default -> look(statements);
    }
  }

  private void moveMoney(Statements statements) throws SQLException {
    int source = random.nextInt(RoundKeys.ACCOUNTS);
    int target = (source + 1 + random.nextInt(RoundKeys.ACCOUNTS - 1)) % RoundKeys.ACCOUNTS;
    long amount = 1L + random.nextInt(20);
    statements.move(source, -amount);
    statements.move(target, amount);
    long entry = RoundKeys.journal(round, session, number);
    statements.enter(entry, source, amount);
    text.journal(entry);
  }

  private void appendToLists(Statements statements) throws SQLException {
    int appends = 1 + random.nextInt(3);
    int first = random.nextInt(RoundKeys.LISTS);
    for (int i = 0; i < appends; i++) {
      int key = RoundKeys.list(round, (first + i) % RoundKeys.LISTS);
      String elements = statements.list(key);
      text.list(key, elements == null ? "" : elements);
      if (elements == null || elements.length() < LIST_CHARACTERS_MAX) {
        long value = RoundKeys.value(session, number);
        statements.append(key, elements, value);
        text.append(key, value);
      }
    }
  }

  private void changeRegisters(Statements statements) throws SQLException {
    int changes = 1 + random.nextInt(3);
    int first = random.nextInt(RoundKeys.REGISTERS);
    for (int i = 0; i < changes; i++) {
      int key = RoundKeys.register(round, (first + i) % RoundKeys.REGISTERS);
      long value = RoundKeys.value(session, number);
      if (!readRegister(statements, key)) {
        statements.insert(key, value);
        text.insert(key, value);
      } else if (random.nextInt(3) == 0) {
        require(statements.delete(key) == 1, "a register that was read is missing key=" + key);
        text.delete(key);
      } else {
        require(
            statements.write(key, value) == 1, "a register that was read is missing key=" + key);
        text.write(key, value);
      }
    }
  }

  /**
   * Under snapshot isolation a conflicting write fails with an error, so a successful write finds
   * exactly one row.
   */
  private void require(boolean holds, String otherwise) {
    if (!holds) {
      reports.say(Reports.WRONG, otherwise);
    }
  }

  private void look(Statements statements) throws SQLException {
    switch (random.nextInt(3)) {
      case 0 -> {
        long money = statements.money();
        wrongSum = money == RoundKeys.ACCOUNTS * RoundKeys.BALANCE ? 0 : money;
      }
      case 1 -> {
        int key = RoundKeys.list(round, random.nextInt(RoundKeys.LISTS));
        String elements = statements.list(key);
        text.list(key, elements == null ? "" : elements);
      }
      default -> scan(statements);
    }
  }

  private void readAll(Statements statements) throws SQLException {
    for (int list = 0; list < RoundKeys.LISTS; list++) {
      int key = RoundKeys.list(round, list);
      String elements = statements.list(key);
      text.list(key, elements == null ? "" : elements);
    }
    scan(statements);
  }

  private boolean readRegister(Statements statements, int key) throws SQLException {
    long value = statements.register(key);
    if (value == Statements.NO_ROW) {
      text.readNothing(key);
      return false;
    }
    text.read(key, value);
    return true;
  }

  private void scan(Statements statements) throws SQLException {
    int low = RoundKeys.register(round, 0);
    int high = RoundKeys.register(round, RoundKeys.REGISTERS - 1);
    text.scan(low, high);
    statements.scan(low, high, text);
  }

  private static final class Statements implements AutoCloseable {
    static final long NO_ROW = -1;

    private final PreparedStatement move;
    private final PreparedStatement enter;
    private final PreparedStatement money;
    private final PreparedStatement list;
    private final PreparedStatement append;
    private final PreparedStatement begin;
    private final PreparedStatement register;
    private final PreparedStatement insert;
    private final PreparedStatement write;
    private final PreparedStatement delete;
    private final PreparedStatement scan;

    Statements(Connection connection) throws SQLException {
      move = connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?");
      enter = connection.prepareStatement("INSERT INTO journal VALUES (?, ?, ?)");
      money = connection.prepareStatement("SELECT SUM(balance) FROM account");
      list = connection.prepareStatement("SELECT elements FROM list WHERE id = ?");
      append = connection.prepareStatement("UPDATE list SET elements = ? WHERE id = ?");
      begin = connection.prepareStatement("INSERT INTO list VALUES (?, ?)");
      register = connection.prepareStatement("SELECT val FROM register WHERE id = ?");
      insert = connection.prepareStatement("INSERT INTO register VALUES (?, ?)");
      write = connection.prepareStatement("UPDATE register SET val = ? WHERE id = ?");
      delete = connection.prepareStatement("DELETE FROM register WHERE id = ?");
      scan =
          connection.prepareStatement(
              "SELECT id, val FROM register WHERE id BETWEEN ? AND ? ORDER BY id");
    }

    void move(int account, long amount) throws SQLException {
      move.setLong(1, amount);
      move.setInt(2, account);
      move.executeUpdate();
    }

    void enter(long entry, int source, long amount) throws SQLException {
      enter.setLong(1, entry);
      enter.setInt(2, source);
      enter.setLong(3, amount);
      enter.executeUpdate();
    }

    long money() throws SQLException {
      try (ResultSet rows = money.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    }

    String list(int key) throws SQLException {
      list.setInt(1, key);
      try (ResultSet rows = list.executeQuery()) {
        return rows.next() ? rows.getString(1) : null;
      }
    }

    void append(int key, String elements, long value) throws SQLException {
      if (elements == null) {
        begin.setInt(1, key);
        begin.setString(2, Long.toString(value));
        begin.executeUpdate();
      } else {
        append.setString(1, elements + "," + value);
        append.setInt(2, key);
        append.executeUpdate();
      }
    }

    long register(int key) throws SQLException {
      register.setInt(1, key);
      try (ResultSet rows = register.executeQuery()) {
        return rows.next() ? rows.getLong(1) : NO_ROW;
      }
    }

    void insert(int key, long value) throws SQLException {
      insert.setInt(1, key);
      insert.setLong(2, value);
      insert.executeUpdate();
    }

    int write(int key, long value) throws SQLException {
      write.setLong(1, value);
      write.setInt(2, key);
      return write.executeUpdate();
    }

    int delete(int key) throws SQLException {
      delete.setInt(1, key);
      return delete.executeUpdate();
    }

    void scan(int low, int high, TransactionText text) throws SQLException {
      scan.setInt(1, low);
      scan.setInt(2, high);
      try (ResultSet rows = scan.executeQuery()) {
        while (rows.next()) {
          text.scanned(rows.getInt(1), rows.getLong(2));
        }
      }
    }

    @Override
    public void close() throws SQLException {
      for (PreparedStatement each :
          new PreparedStatement[] {
            move, enter, money, list, append, begin, register, insert, write, delete, scan
          }) {
        each.close();
      }
    }
  }
}
