package org.nelumbo.jdbc.pool;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.jdbc.Statements.run;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.EmbeddedSession;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.node.MemoryNode;
import org.nelumbo.jdbc.Statements;

/**
 * A shop in a pool that is reached over a network. Subclasses measure the round trips of its
 * statements.
 */
@Timeout(120)
abstract class RemoteShop {
  static final int ROWS = 600;

  /** Round trips to read unknown rows of one chunk: the index, then the CVTs with their records. */
  static final int UNKNOWN_ROWS = 2;

  static final int CHUNK = 64;

  /** The writes, and their publication, unless the background thread publishes them. */
  static final int COMMIT = 2;

  /**
   * A commit of more rows than a commit log has entries: INVISIBLE cells, their timestamps, the
   * publication.
   */
  static final int LARGE_COMMIT = 3;

  MemoryNode node;
  Connection connection;

  interface Work {
    void run() throws SQLException;
  }

  @BeforeEach
  void open() throws Exception {
    node =
        new MemoryNode(
            new SystemEnvironment(),
            LocalMemory.reserve(256 << 20),
            FreshAddress.next(),
            MemoryNode.Options.DEFAULT);
    node.start();
    try (Connection first = connect("")) {
      run(first, "CREATE TABLE item (id INT PRIMARY KEY, stock INT, CHECK (stock >= 0))");
      run(first, "CREATE TABLE line (id INT PRIMARY KEY, item INT)");
      run(first, "CREATE TABLE part (item INT, n INT, v INT, PRIMARY KEY (item, n))");
      try (PreparedStatement insert = first.prepareStatement("INSERT INTO item VALUES (?, 100)")) {
        fill(insert);
      }
      try (PreparedStatement insert =
          first.prepareStatement("INSERT INTO line VALUES (?, MOD(? * 7, 600))")) {
        for (int id = 0; id < ROWS; id++) {
          insert.setInt(1, id);
          insert.setInt(2, id);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      try (PreparedStatement insert = first.prepareStatement("INSERT INTO part VALUES (?, ?, 0)")) {
        for (int i = 0; i < ROWS; i++) {
          insert.setInt(1, i / 3);
          insert.setInt(2, i % 3);
          insert.addBatch();
        }
        insert.executeBatch();
      }
      CrashRounds.shutDown(first);
    }
    connection = reconnect("");
    connection.setAutoCommit(false);
    number("SELECT COUNT(*) FROM line WHERE id = 1"); // reads the catalog's part in directories
    number("SELECT COUNT(*) FROM item WHERE id = 1");
    connection.commit();
    update("UPDATE line SET item = item WHERE id = 599"); // creates the session's log
    connection.commit();
  }

  private void fill(PreparedStatement insert) throws SQLException {
    for (int id = 0; id < ROWS; id++) {
      insert.setInt(1, id);
      insert.addBatch();
    }
    insert.executeBatch();
  }

  /** Connects as a new compute node without cached data. */
  Connection reconnect(String options) throws SQLException {
    while (node.isOwned()) {
      LockSupport.parkNanos(100_000);
    }
    return connect(options);
  }

  private Connection connect(String options) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:nelumbo://" + node.address() + "/shop?create=true&counters=true" + options);
  }

  @AfterEach
  void close() throws SQLException {
    CrashRounds.shutDown(connection);
    node.close();
  }

  long number(String query) throws SQLException {
    return Statements.number(connection, query);
  }

  int update(String sql) throws SQLException {
    return run(connection, sql);
  }

  long roundTrips() throws SQLException {
    return connection.unwrap(EmbeddedSession.class).counters().roundTrips();
  }

  long roundTrips(Work work) throws SQLException {
    long before = roundTrips();
    work.run();
    return roundTrips() - before;
  }

  /**
   * Asserts the round trips of a commit; one less if the background thread publishes it.
   *
   * @param expected {@code COMMIT} or {@code LARGE_COMMIT}
   */
  void assertCommitTakes(long expected, Work commit) throws SQLException {
    long taken = roundTrips(commit);
    assertTrue(
        taken == expected || taken == expected - 1,
        "took " + taken + " round trips, not " + expected);
  }

  void assertRoundTrips(long most, Work work) throws SQLException {
    long taken = roundTrips(work);
    assertTrue(taken <= most, "took " + taken + " round trips, not " + most);
  }

  /** Returns {@code (from, from + 1, ...)}. */
  static String list(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(", ", "(", ")"));
  }
}
