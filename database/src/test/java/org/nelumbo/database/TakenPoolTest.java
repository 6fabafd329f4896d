package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.Session;
import org.nelumbo.session.StatementExecution;

/**
 * Auto-commit queries whose rows a compute node has cached, while another compute node takes the
 * pool over. No returned row may be one that the other node may have changed.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class TakenPoolTest {
  private volatile boolean taken;
  private final Database database =
      DatabaseOpener.attach(
          DatabaseOptions.defaults().withMemoryBytes(64L << 20).withCountVerbs(true),
          new SystemEnvironment(),
          "a test",
          "",
          () -> new Pool(new LocalFabric(64L << 20)));
  private final Sql sql = new Sql(database);

  private final class Pool extends ForwardingFabric {
    Pool(Fabric fabric) {
      super(fabric);
    }

    @Override
    public boolean isRemote() {
      return true;
    }

    @Override
    public Channel openChannel(int stagingBytes) {
      return new ForwardingChannel(fabric.openChannel(stagingBytes)) {
        @Override
        public void flush() {
          if (taken) {
            throw new FabricException(0, "another compute node has taken the pool", null);
          }
          channel.flush();
        }
      };
    }
  }

  @AfterEach
  void close() {
    taken = false;
    database.close();
  }

  @Test
  void shouldNotReturnCachedRowAfterPoolTakeover() {
    sql.run("CREATE TABLE t (id INT PRIMARY KEY, v INT)", "INSERT INTO t VALUES (1, 10), (2, 20)");
    Session session = sql.session();
    try (StatementExecution query =
        session.newExecution(session.prepare("SELECT v FROM t WHERE id = ?"))) {
      for (int id = 1; id <= 2; id++) {
        read(query, id);
      }
      assertEquals(1, sql.roundTrips(() -> read(query, 1)), "whose pool it is");
      assertEquals(1, sql.roundTrips(() -> assertFalse(isFound(query, 3))), "the hash index");
      query.parameters().setLong(0, 1);
      query.executeQuery();
      taken = true;
      assertThrows(FabricException.class, query::next);
      taken = false;
    }
  }

  @Test
  void shouldCheckPoolOwnershipOncePerSnapshot() {
    sql.run("CREATE TABLE t (id INT PRIMARY KEY, v INT)", "INSERT INTO t VALUES (1, 10), (2, 20)");
    String join = "SELECT a.v FROM t a, t b WHERE a.id = 1 AND b.id = 2";
    sql.query(join);
    long first = sql.roundTrips(() -> assertEquals("[10]", sql.query(join).toString()));
    assertTrue(first <= 1, () -> "roundTrips=" + first);
  }

  @Test
  void shouldNotReportMissingTableAfterPoolTakeover() {
    Session session = sql.session();
    assertThrows(NelumboException.class, () -> session.prepare("SELECT v FROM t WHERE id = 1"));
    taken = true;
    assertThrows(FabricException.class, () -> session.prepare("SELECT v FROM t WHERE id = 1"));
    taken = false;
  }

  private static void read(StatementExecution query, int id) {
    assertTrue(isFound(query, id));
  }

  private static boolean isFound(StatementExecution query, int id) {
    query.parameters().setLong(0, id);
    query.executeQuery();
    boolean found = query.next();
    query.closeRows();
    return found;
  }
}
