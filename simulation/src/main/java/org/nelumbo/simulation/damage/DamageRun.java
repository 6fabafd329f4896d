package org.nelumbo.simulation.damage;

import java.util.List;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.NativeSession;
import org.nelumbo.database.open.DatabaseOpener;
import org.nelumbo.database.open.LocalDatabase;
import org.nelumbo.dm.pool.FailStopFabric;
import org.nelumbo.dm.pool.OutsidePoolException;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.error.UnexpectedErrors;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.session.ResultColumn;
import org.nelumbo.session.Session;
import org.nelumbo.session.SessionOptions;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.fabric.SimFabric;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.run.FaultRun;
import org.nelumbo.simulation.run.Totals;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A run with damage to rows of one of two tables, with one seed: first while a compute node has the
 * pool and deleted rows wait for its sweeper, then while no compute node has it. The other table
 * loses nothing: its statements succeed, its deleted rows are removed, and a compute node that
 * attaches opens it. Statements on the damaged table succeed, or fail with an error that reports
 * the damage.
 */
public final class DamageRun extends FaultRun {
  private static final long POOL_BYTES = 8L << 20;
  private static final int ROWS = 24;
  private static final int TEXT_BYTES = 300;
  private static final long RUN_NANOS = 60_000_000_000L;
  private static final long STEPS = 5_000_000;
  private static final long SWEEP_NANOS = 2_000_000_000;

  private final SimFabric pool;
  private LocalDatabase database;

  /** Ids of the rows of the undamaged table: from this one on, below {@link #lastRow}. */
  private int firstRow;

  private int lastRow;

  public DamageRun(SimWorld world, Totals totals) {
    super(world, totals, "damage", RUN_NANOS, STEPS);
    FabricModel model = FabricModel.preset(FabricModel.PRESETS.get(0));
    this.pool = new SimFabric(world, model, 1, POOL_BYTES, new SimMemory());
  }

  @Override
  protected void run() {
    SimNode first = world.addNode("cn0");
    world.run(first, "statements", () -> damageInUse(first));
    SimNode second = world.addNode("cn1");
    world.run(second, "statements", () -> recover(second));
  }

  @Override
  protected void end() {
    pool.release();
  }

  private void attach(SimNode node) {
    count("attached");
    database =
        DatabaseOpener.attach(
            DatabaseOptions.defaults().withMemoryBytes(POOL_BYTES),
            node.environment(),
            node.name(),
            "",
            () -> new FailStopFabric(pool.takeOver(node)));
  }

  private TableStore store(String name) {
    try (NativeSession session = database.openNative()) {
      return session.table(name).store();
    }
  }

  private void damage(String name) {
    new RowDamage(database.engine(), store(name), random).run();
  }

  private void damageInUse(SimNode node) {
    attach(node);
    try (Session session = database.connect(SessionOptions.defaults())) {
      for (String table : new String[] {"WHOLE", "BROKEN"}) {
        run(
            session,
            "CREATE TABLE "
                + table
                + " (ID INT PRIMARY KEY, N INT, V VARCHAR(600)) WITH (hash = "
                + (random.nextInt(2) == 0)
                + ")");
        run(session, "CREATE INDEX " + table + "_N ON " + table + " (N)");
        insert(session, table, 0, ROWS);
        run(session, "UPDATE " + table + " SET V = V || 'u'"); // a block for each record
      }
      run(session, "DELETE FROM BROKEN WHERE ID < " + (ROWS / 2 + random.nextInt(ROWS / 2)));
      damage("BROKEN");
      lastRow = ROWS;
      for (int i = 0; i < 3; i++) {
        firstRow += 2;
        run(session, "DELETE FROM WHOLE WHERE ID < " + firstRow);
        insert(session, "WHOLE", lastRow, ++lastRow);
        world.sleepUntil(world.now() + SWEEP_NANOS);
      }
      check(session);
    }
    checkSwept();
    try (Session session = database.connect(SessionOptions.defaults())) {
      tryBroken(session);
    }
    if (database.engine().isStopped()) {
      throw new Violation("a damaged row has stopped the engine");
    }
    damage("BROKEN");
  }

  private static void insert(Session session, String table, int from, int to) {
    for (int id = from; id < to; id++) {
      run(
          session,
          "INSERT INTO " + table + " VALUES (" + id + ", " + id / 5 + ", '" + text(id) + "')");
    }
  }

  private static String text(int id) {
    return Integer.toString(id).repeat(TEXT_BYTES / 2);
  }

  private void checkSwept() {
    try (Coordinator coordinator = database.engine().openCoordinator()) {
      long rows = store("WHOLE").verify(coordinator.channel());
      if (rows != lastRow - firstRow) {
        throw new Violation(
            "deleted rows are no longer removed rows=" + rows + " of=" + (lastRow - firstRow));
      }
    }
  }

  private void recover(SimNode node) {
    database.abandon();
    attach(node);
    for (String damaged : database.damagedTables()) {
      if (!damaged.contains("BROKEN")) {
        throw new Violation("set aside although it is not damaged: " + damaged);
      }
    }
    try (Session session = database.connect(SessionOptions.defaults())) {
      check(session);
      insert(session, "WHOLE", lastRow, ++lastRow);
      tryBroken(session);
      tryOut(() -> run(session, "DELETE FROM BROKEN"));
    }
  }

  private void check(Session session) {
    String wanted = (lastRow - firstRow) + " " + firstRow;
    try (var query = session.newExecution(session.prepare("SELECT COUNT(*), MIN(ID) FROM WHOLE"))) {
      query.executeQuery();
      query.next();
      String found = query.longAt(0) + " " + query.longAt(1);
      if (!found.equals(wanted)) {
        throw new Violation("undamaged rows are lost found=" + found);
      }
    }
  }

  private void tryBroken(Session session) {
    tryOut(() -> read(session, "SELECT * FROM BROKEN"));
    tryOut(() -> read(session, "SELECT V FROM BROKEN WHERE ID = " + (ROWS - 1)));
    tryOut(() -> run(session, "UPDATE BROKEN SET V = 'x' WHERE ID = " + (ROWS - 2)));
  }

  private static void tryOut(Runnable statement) {
    try {
      statement.run();
    } catch (NelumboException | OutsidePoolException e) {
      if (UnexpectedErrors.of(e).code() == ErrorCode.INTERNAL) {
        throw new Violation("a damaged row is an internal error: " + e.getMessage());
      }
    }
  }

  private static void read(Session session, String query) {
    try (var execution = session.newExecution(session.prepare(query))) {
      List<ResultColumn> columns = execution.plan().columns();
      execution.executeQuery();
      while (execution.next()) {
        for (int i = 0; i < columns.size(); i++) {
          if (columns.get(i).type().isLong()) {
            execution.longAt(i);
          } else {
            execution.objectAt(i);
          }
        }
      }
    }
  }

  private static void run(Session session, String statement) {
    try (var execution = session.newExecution(session.prepare(statement))) {
      execution.executeUpdate();
    }
  }
}
