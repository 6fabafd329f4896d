package org.nelumbo.simulation.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.nelumbo.simulation.cluster.Cluster;
import org.nelumbo.simulation.cluster.SchemaChange;
import org.nelumbo.simulation.cluster.SchemaSession;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.instrument.Injected;
import org.nelumbo.simulation.workload.Workload;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The thread that changes the table definition while clients work. It runs statements drawn from
 * the seed at random times. Statements that empty the table are drawn only if the workload can
 * account for them.
 */
final class SchemaLoop {
  private final Cluster cluster;
  private final SimWorld world;
  private final Workload workload;
  private final BooleanSupplier goesOn;
  private final RunCounts runCounts;
  private final SimRandom random;
  private final List<SchemaChange> changes = new ArrayList<>();

  /**
   * A change that ended half way and must be completed first, since the table may not exist; or
   * null.
   */
  private SchemaChange unfinished;

  SchemaLoop(
      Cluster cluster,
      String node,
      Workload workload,
      RunCounts runCounts,
      BooleanSupplier goesOn) {
    this.cluster = cluster;
    this.world = cluster.world();
    this.workload = workload;
    this.runCounts = runCounts;
    this.goesOn = goesOn;
    this.random = world.random(node + " schema");
    for (SchemaChange change : cluster.options().schema().changes()) {
      boolean allowed = !change.empties() || workload.allowsEmptying();
      if (allowed && change.fits(cluster.options().schema())) {
        changes.add(change);
      }
    }
  }

  /**
   * Runs until the clients are done. A lost database ends it; the clients detect the loss
   * themselves.
   */
  void run() {
    boolean again;
    do {
      again = runSession();
    } while (again && goesOn.getAsBoolean());
  }

  private boolean runSession() {
    try (SchemaSession session = cluster.newSchemaSession()) {
      long every = cluster.options().schema().every();
      for (; ; ) {
        world.sleepUntil(world.now() + 1 + random.nextLong(2 * every));
        if (!goesOn.getAsBoolean()) {
          return false;
        }
        change(
            session, unfinished != null ? unfinished : changes.get(random.nextInt(changes.size())));
      }
    } catch (TransactionFailed failed) {
      return failed.isBroken();
    } catch (RuntimeException | Error e) {
      if (TransactionFailed.isLoss(e)) {
        return false;
      }
      if (Injected.isCauseOf(e)) {
        return true;
      }
      throw e;
    }
  }

  private void change(SchemaSession session, SchemaChange change) throws TransactionFailed {
    world.trace().note(world.now(), -1, "schema", change.name());
    boolean[] done = new boolean[1];
    unfinished = change == SchemaChange.RECREATE ? change : null;
    if (change.empties()) {
      workload.empty(() -> done[0] = session.change(change));
    } else {
      done[0] = session.change(change);
    }
    unfinished = null;
    runCounts.schemaChanged(done[0]);
  }
}
