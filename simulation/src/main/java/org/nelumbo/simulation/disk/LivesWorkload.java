package org.nelumbo.simulation.disk;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.List;
import org.nelumbo.database.open.LocalDatabase;
import org.nelumbo.simulation.cluster.Cluster;
import org.nelumbo.simulation.cluster.ClusterOptions;
import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.config.Settings;
import org.nelumbo.simulation.workload.RecordedWorkload;
import org.nelumbo.simulation.workload.WorkloadClient;
import org.nelumbo.simulation.workload.WorkloadOptions;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A workload on a database that loses power: all actions and reads of its clients in all lives form
 * one history. The schema is changed concurrently ({@link SchemaSteps}).
 */
final class LivesWorkload {
  private static final String SETTINGS =
      """
      api = sql
      indexed = true
      isolation = serializable
      keys = 6
      operations = 3
      """;

  private final SimWorld world;
  private final int clients;
  private final int transactions;
  private final ClusterOptions cluster;
  private final RecordedWorkload workload;
  private final SchemaSteps schema;
  private int acknowledged;

  /**
   * Creates a workload.
   *
   * @param clients clients of each life, with numbers from 0 on
   * @param transactions transactions of each client
   */
  LivesWorkload(SimWorld world, int clients, int transactions) {
    this.world = world;
    this.clients = clients;
    this.transactions = transactions;
    Settings settings = settings();
    this.cluster = ClusterOptions.of(settings);
    this.workload = new RecordedWorkload(WorkloadOptions.of(settings), false, cluster, world::now);
    this.schema = new SchemaSteps(world.random("schema"));
  }

  private static Settings settings() {
    try {
      return Settings.read("lives", new StringReader(SETTINGS));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the options of compute nodes. */
  ClusterOptions cluster() {
    return cluster;
  }

  /** Returns the number of acknowledged transactions in all lives. */
  int acknowledged() {
    return acknowledged;
  }

  /** Checks the schema at the start of a life, and creates missing tables. */
  void begin(LocalDatabase database) {
    Cluster.createIfMissing(database, cluster);
    schema.check(database);
  }

  /** Starts the clients of a life whose numbers begin at {@code first}. */
  void spawnClients(LossRun.Users users, LocalDatabase database, int first, int count) {
    for (int i = 0; i < count; i++) {
      int client = first + i;
      users.spawn("client-" + i, () -> transact(database, client));
    }
  }

  void spawnSchemaChanges(LossRun.Users users, LocalDatabase database) {
    users.spawn("schema", () -> schema.run(database));
  }

  private void transact(LocalDatabase database, int index) {
    try (ClusterSession session = Cluster.sessionOf(database, cluster)) {
      SimRandom own = world.random(world.current().name());
      WorkloadClient client = workload.newClient(index, session, own);
      for (int done = 0, attempt = 0; done < transactions; ) {
        try {
          client.transact();
          done++;
          acknowledged++;
          attempt = 0;
        } catch (TransactionFailed e) {
          if (e.isLost()) {
            return;
          }
          session.abort();
          database.engine().environment().backoff(attempt++);
        }
      }
    }
  }

  /** Checks the history of all lives, and the final rows. */
  void check(LocalDatabase database) throws TransactionFailed {
    begin(database);
    try (ClusterSession session = Cluster.sessionOf(database, cluster)) {
      readAll(session);
      workload.check(session);
    }
    List<String> damaged = database.damagedTables();
    if (!damaged.isEmpty()) {
      throw new Violation("unexpected damaged tables: " + damaged);
    }
  }

  /** Reads as one more client, so that the loss of later writes is detected. */
  private void readAll(ClusterSession session) throws TransactionFailed {
    WorkloadClient reader = workload.newClient(clients, session, world.random("reader"));
    for (int i = 0; i < transactions; i++) {
      reader.transact();
    }
  }
}
