package org.nelumbo.jdbc;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/**
 * Anomalies of two or three concurrent transactions, written as interleavings. Serializable
 * transactions wait or fail with 40001, so that no anomaly occurs. Snapshot isolation permits write
 * skew and no other anomaly.
 */
class AnomalyTest {
  private static Interleaving under(String properties) throws SQLException {
    return new Interleaving(properties)
        .given(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)",
            "INSERT INTO t VALUES (1, 10), (2, 20)");
  }

  private static Interleaving serializable() throws SQLException {
    return under("isolation=serializable");
  }

  private static Interleaving snapshot() throws SQLException {
    return under("isolation=snapshot");
  }

  /** G0 (dirty write): two transactions alternately write the same rows. */
  @Test
  void shouldNotInterleaveWrites() throws Exception {
    String script =
        """
        1 UPDATE t SET n = 11 WHERE id = 1 => 1
        2 UPDATE t SET n = 12 WHERE id = 1 => waits
        1 UPDATE t SET n = 21 WHERE id = 2 => 1
        1 COMMIT => ok
        2 => %s
        2 UPDATE t SET n = 22 WHERE id = 2 => %s
        2 COMMIT => %s
        """;
    try (Interleaving play = serializable()) {
      play.play(script.formatted("1", "1", "ok")).finds("12 22", "SELECT n FROM t ORDER BY id");
    }
    try (Interleaving play = snapshot()) {
      play.play(script.formatted("40001", "25P02", "40001"))
          .finds("11 21", "SELECT n FROM t ORDER BY id");
    }
  }

  /** G1a (aborted read): a transaction reads a value that is rolled back. */
  @Test
  void shouldNotReadAbortedWrites() throws Exception {
    try (Interleaving play = serializable()) {
      play.play(
          """
          1 SELECT COUNT(*) FROM t WHERE id > 1 => 1
          2 UPDATE t SET n = 101 WHERE id = 1 => 1
          1 SELECT n FROM t WHERE id = 1 => waits
          2 ROLLBACK => ok
          1 => 10
          1 COMMIT => ok
          """);
    }
    try (Interleaving play = snapshot()) {
      play.play(
          """
          2 UPDATE t SET n = 101 WHERE id = 1 => 1
          1 SELECT n FROM t ORDER BY id => 10 20
          2 ROLLBACK => ok
          1 SELECT n FROM t ORDER BY id => 10 20
          1 COMMIT => ok
          """);
    }
  }

  /**
   * G1b (intermediate read): a transaction reads a value that its writer replaces before it
   * commits.
   */
  @Test
  void shouldNotReadIntermediateWrites() throws Exception {
    try (Interleaving play = serializable()) {
      play.play(
          """
          1 SELECT COUNT(*) FROM t WHERE id > 1 => 1
          2 UPDATE t SET n = 101 WHERE id = 1 => 1
          1 SELECT n FROM t WHERE id = 1 => waits
          2 UPDATE t SET n = 11 WHERE id = 1 => 1
          2 COMMIT => ok
          1 => 11
          1 COMMIT => ok
          """);
    }
    try (Interleaving play = snapshot()) {
      play.play(
          """
          2 UPDATE t SET n = 101 WHERE id = 1 => 1
          1 SELECT n FROM t WHERE id = 1 => 10
          2 UPDATE t SET n = 11 WHERE id = 1 => 1
          2 COMMIT => ok
          1 SELECT n FROM t WHERE id = 1 => 10
          1 COMMIT => ok
          """);
    }
  }

  /**
   * G1c (circular information flow): each of two transactions reads a value that the other has
   * written.
   */
  @Test
  void shouldNotLetInformationFlowInACircle() throws Exception {
    try (Interleaving play = serializable()) {
      play.play(
          """
          1 UPDATE t SET n = 11 WHERE id = 1 => 1
          2 UPDATE t SET n = 22 WHERE id = 2 => 1
          1 SELECT n FROM t WHERE id = 2 => waits
          2 SELECT n FROM t WHERE id = 1 => 40001
          1 => 20
          2 ROLLBACK => ok
          1 COMMIT => ok
          """);
    }
    try (Interleaving play = snapshot()) {
      play.play(
          """
          1 UPDATE t SET n = 11 WHERE id = 1 => 1
          2 UPDATE t SET n = 22 WHERE id = 2 => 1
          1 SELECT n FROM t WHERE id = 2 => 20
          2 SELECT n FROM t WHERE id = 1 => 10
          1 COMMIT => ok
          2 COMMIT => ok
          """);
    }
  }

  /** P4 (lost update): two transactions read a value and add to it; one addition is lost. */
  @Test
  void shouldNotLoseUpdates() throws Exception {
    try (Interleaving play = serializable()) {
      play.play(
              """
              1 SELECT n FROM t WHERE id = 1 => 10
              2 SELECT n FROM t WHERE id = 1 => 10
              1 UPDATE t SET n = 11 WHERE id = 1 => waits
              2 UPDATE t SET n = 12 WHERE id = 1 => 40001
              1 => 1
              1 COMMIT => ok
              2 COMMIT => 40001
              """)
          .finds("11", "SELECT n FROM t WHERE id = 1");
    }
    try (Interleaving play = snapshot()) {
      play.play(
              """
              1 SELECT n FROM t WHERE id = 1 => 10
              2 SELECT n FROM t WHERE id = 1 => 10
              2 UPDATE t SET n = 12 WHERE id = 1 => 1
              # the first committer wins, even if the other waits for it
              1 UPDATE t SET n = 11 WHERE id = 1 => waits
              2 COMMIT => ok
              1 => 40001
              1 COMMIT => 40001
              """)
          .finds("12", "SELECT n FROM t WHERE id = 1");
    }
  }

  /**
   * G-single (read skew): a transaction reads one row before and another row after a commit of a
   * different transaction.
   */
  @Test
  void shouldNotReadSkewed() throws Exception {
    try (Interleaving play = serializable()) {
      play.play(
          """
          2 SELECT COUNT(*) FROM t WHERE id > 5 => 0
          1 SELECT n FROM t WHERE id = 1 => 10
          2 UPDATE t SET n = 12 WHERE id = 1 => waits
          1 SELECT n FROM t WHERE id = 2 => 20
          1 COMMIT => ok
          2 => 1
          2 UPDATE t SET n = 18 WHERE id = 2 => 1
          2 COMMIT => ok
          """);
    }
    try (Interleaving play = snapshot()) {
      play.play(
          """
          1 SELECT n FROM t WHERE id = 1 => 10
          2 UPDATE t SET n = 12 WHERE id = 1 => 1
          2 UPDATE t SET n = 18 WHERE id = 2 => 1
          2 COMMIT => ok
          1 SELECT n FROM t WHERE id = 2 => 20
          1 SELECT COUNT(*) FROM t WHERE n = 20 => 1
          # it may not act on what it saw
          1 DELETE FROM t WHERE n = 20 => 40001
          """);
    }
  }

  private static final String WRITE_SKEW =
      """
      1 SELECT SUM(n) FROM t => 30
      2 SELECT SUM(n) FROM t => 30
      1 UPDATE t SET n = n - 25 WHERE id = 1 => %s
      2 UPDATE t SET n = n - 25 WHERE id = 2 => %s
      """;

  /**
   * G2-item (write skew): each of two transactions writes a row that the other has read. Either one
   * alone would not overdraw.
   */
  @Test
  void shouldAllowWriteSkewUnderSnapshotIsolationOnly() throws Exception {
    try (Interleaving play = serializable()) {
      play.play(
              WRITE_SKEW.formatted("waits", "40001")
                  + """
                  1 => 1
                  1 COMMIT => ok
                  2 ROLLBACK => ok
                  """)
          .finds("5", "SELECT SUM(n) FROM t");
    }
    try (Interleaving play = snapshot()) {
      play.play(
              WRITE_SKEW.formatted("1", "1")
                  + """
                  1 COMMIT => ok
                  2 COMMIT => ok
                  """)
          .finds("-20", "SELECT SUM(n) FROM t");
    }
  }

  /** Locking reads ({@code FOR UPDATE}) prevent write skew under snapshot isolation, too. */
  @Test
  void shouldPreventWriteSkewWithForUpdate() throws Exception {
    try (Interleaving play = snapshot()) {
      play.play(
          """
          1 SELECT n FROM t ORDER BY id FOR UPDATE => 10 20
          2 SELECT n FROM t ORDER BY id FOR UPDATE => waits
          1 UPDATE t SET n = n - 25 WHERE id = 1 => 1
          1 COMMIT => ok
          2 => 40001
          2 ROLLBACK => ok
          2 SELECT n FROM t ORDER BY id FOR UPDATE => -15 20
          2 COMMIT => ok
          """);
    }
  }

  /** P3 (phantom): a row is inserted into a range that another transaction has read. */
  @Test
  void shouldNotSeePhantomsInARange() throws Exception {
    try (Interleaving play = serializable()) {
      play.play(
              """
              2 SELECT n FROM t WHERE id = 1 => 10
              1 SELECT COUNT(*) FROM t WHERE id BETWEEN 1 AND 9 => 2
              2 INSERT INTO t VALUES (5, 50) => waits
              1 SELECT COUNT(*) FROM t WHERE id BETWEEN 1 AND 9 => 2
              1 COMMIT => ok
              2 => 1
              2 COMMIT => ok
              1 SELECT COUNT(*) FROM t WHERE id BETWEEN 1 AND 9 => 3
              """)
          .finds("3", "SELECT COUNT(*) FROM t");
    }
    try (Interleaving play = snapshot()) {
      play.play(
          """
          1 SELECT COUNT(*) FROM t WHERE id BETWEEN 1 AND 9 => 2
          2 INSERT INTO t VALUES (5, 50) => 1
          2 DELETE FROM t WHERE id = 1 => 1
          2 COMMIT => ok
          1 SELECT COUNT(*) FROM t WHERE id BETWEEN 1 AND 9 => 2
          1 SELECT id FROM t ORDER BY id => 1 2
          1 COMMIT => ok
          1 SELECT id FROM t ORDER BY id => 2 5
          """);
    }
  }

  /** P3: a key that a transaction has searched for without success is inserted. */
  @Test
  void shouldNotFindAMissingKeyLater() throws Exception {
    try (Interleaving play = serializable()) {
      play.play(
          """
          2 SELECT n FROM t WHERE id = 1 => 10
          1 SELECT n FROM t WHERE id = 5 => -
          2 INSERT INTO t VALUES (5, 50) => waits
          1 SELECT n FROM t WHERE id = 5 => -
          1 INSERT INTO t VALUES (5, 51) => 1
          1 COMMIT => ok
          2 => 23505
          2 COMMIT => ok
          """);
    }
    try (Interleaving play = snapshot()) {
      play.play(
              """
              1 SELECT n FROM t WHERE id = 5 => -
              2 INSERT INTO t VALUES (5, 50) => 1
              2 COMMIT => ok
              1 SELECT n FROM t WHERE id = 5 => -
              # it cannot be inserted twice, though it is not there to be seen
              1 INSERT INTO t VALUES (5, 51) => 40001
              1 ROLLBACK => ok
              """)
          .finds("50", "SELECT n FROM t WHERE id = 5");
    }
  }

  /** G2: each of two transactions inserts a row into the range that the other has read. */
  @Test
  void shouldPreventMutualPhantomsInRanges() throws Exception {
    try (Interleaving play = serializable()) {
      play.play(
              """
              1 SELECT COUNT(*) FROM t WHERE id > 2 => 0
              2 SELECT COUNT(*) FROM t WHERE id > 2 => 0
              1 INSERT INTO t VALUES (3, 30) => waits
              2 INSERT INTO t VALUES (4, 40) => 40001
              1 => 1
              1 COMMIT => ok
              2 ROLLBACK => ok
              """)
          .finds("1 2 3", "SELECT id FROM t ORDER BY id");
    }
  }

  /** Phantoms in a search by a column that is neither the key nor indexed. */
  @Test
  void shouldPreventMutualPhantomsInUnindexedSearches() throws Exception {
    try (Interleaving play = serializable()) {
      play.play(
              """
              1 SELECT COUNT(*) FROM t WHERE MOD(n, 3) = 0 => 0
              2 SELECT COUNT(*) FROM t WHERE MOD(n, 3) = 0 => 0
              1 INSERT INTO t VALUES (3, 30) => waits
              2 INSERT INTO t VALUES (4, 42) => 40001
              1 => 1
              1 COMMIT => ok
              2 ROLLBACK => ok
              """)
          .finds("1", "SELECT COUNT(*) FROM t WHERE MOD(n, 3) = 0");
    }
  }

  /** Long fork: two readers see two independent writes in different orders. */
  @Test
  void shouldSeeIndependentWritesInOneOrder() throws Exception {
    try (Interleaving play = snapshot()) {
      play.play(
          """
          1 UPDATE t SET n = 11 WHERE id = 1 => 1
          2 UPDATE t SET n = 21 WHERE id = 2 => 1
          3 SELECT n FROM t WHERE id = 1 => 10
          1 COMMIT => ok
          4 SELECT n FROM t WHERE id = 1 => 11
          2 COMMIT => ok
          5 SELECT n FROM t WHERE id = 2 => 21
          3 SELECT n FROM t WHERE id = 2 => 20
          4 SELECT n FROM t WHERE id = 2 => 20
          5 SELECT n FROM t WHERE id = 1 => 11
          """);
    }
    try (Interleaving play = serializable()) {
      play.play(
          """
          3 SELECT COUNT(*) FROM t WHERE id > 5 => 0
          4 SELECT COUNT(*) FROM t WHERE id > 5 => 0
          1 UPDATE t SET n = 11 WHERE id = 1 => 1
          2 UPDATE t SET n = 21 WHERE id = 2 => 1
          3 SELECT n FROM t WHERE id = 1 => waits
          4 SELECT n FROM t WHERE id = 2 => waits
          1 COMMIT => ok
          3 => 11
          3 SELECT n FROM t WHERE id = 2 => waits
          2 COMMIT => ok
          3 => 21
          4 => 21
          4 SELECT n FROM t WHERE id = 1 => 11
          """);
    }
  }

  /** The read-only transaction anomaly: a reader sees a state that no serial order explains. */
  @Test
  void shouldNotShowReadersAnImpossibleState() throws Exception {
    try (Interleaving play = serializable()) {
      play.play(
          """
          1 SELECT n FROM t ORDER BY id => 10 20
          2 UPDATE t SET n = 25 WHERE id = 2 => waits
          1 UPDATE t SET n = 0 WHERE id = 1 => 1
          1 COMMIT => ok
          2 => 1
          2 COMMIT => ok
          3 SELECT n FROM t ORDER BY id => 0 25
          3 COMMIT => ok
          """);
    }
  }

  /**
   * Proves that the anomaly does not occur with {@code conflict=no-wait} either: a transaction that
   * meets a lock fails at once.
   */
  @Test
  void shouldLoseAtOnceWithoutWaiting() throws Exception {
    try (Interleaving play = under("isolation=serializable&conflict=no-wait")) {
      play.play(
              WRITE_SKEW.formatted("40001", "1")
                  + """
                  1 ROLLBACK => ok
                  2 COMMIT => ok
                  """)
          .finds("5", "SELECT SUM(n) FROM t");
    }
  }
}
