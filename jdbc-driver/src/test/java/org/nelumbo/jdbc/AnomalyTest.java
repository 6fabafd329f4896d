package org.nelumbo.jdbc;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/**
 * What two or three transactions can do to each other, told as interleavings. Serializable ones
 * wait or lose (40001), so that nothing of it happens; under snapshot isolation write skew is
 * possible, and nothing else.
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

  /** G0: two transactions write the same rows in turn. */
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

  /** G1a: a reader sees what is never committed. */
  @Test
  void shouldNotReadWhatIsRolledBack() throws Exception {
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

  /** G1b: a reader sees a value that its writer has replaced before committing. */
  @Test
  void shouldNotReadWhatIsReplacedBeforeCommit() throws Exception {
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

  /** G1c: each of two transactions sees what the other has written. */
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

  /** P4: two transactions add to what they have read; one addition is lost. */
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

  /** G-single: a transaction sees one row before and another after somebody's commit. */
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

  /** G2-item: two transactions write what the other has read; alone, neither would overdraw. */
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

  /** Write skew is prevented under snapshot isolation too where the rows are read for update. */
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

  /** P3: a range that was read gets another row. */
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

  /** A key that was looked for in vain appears. */
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

  /** G2: two transactions insert what would be in the range the other has read. */
  @Test
  void shouldNotInsertIntoEachOthersRanges() throws Exception {
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

  /** Phantoms, where the column read is not the key, and there is no index. */
  @Test
  void shouldNotInsertWhatTheOtherHasSearchedFor() throws Exception {
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

  /** The anomaly of a transaction that only reads: it sees a state that no order explains. */
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

  /** Without waiting the same is impossible, and whoever meets a lock loses. */
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
