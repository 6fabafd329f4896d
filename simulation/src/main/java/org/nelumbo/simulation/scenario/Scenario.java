package org.nelumbo.simulation.scenario;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.nelumbo.simulation.cluster.ClusterOptions;
import org.nelumbo.simulation.config.Settings;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.fault.CrashPlan;
import org.nelumbo.simulation.fault.FaultPlan;
import org.nelumbo.simulation.replication.ReplicaPlan;
import org.nelumbo.simulation.workload.BankWorkload;
import org.nelumbo.simulation.workload.HoldersWorkload;
import org.nelumbo.simulation.workload.LongTransactions;
import org.nelumbo.simulation.workload.MirrorWorkload;
import org.nelumbo.simulation.workload.OrdersWorkload;
import org.nelumbo.simulation.workload.OwnedRowsWorkload;
import org.nelumbo.simulation.workload.RecordedWorkload;
import org.nelumbo.simulation.workload.Workload;
import org.nelumbo.simulation.workload.WorkloadKind;
import org.nelumbo.simulation.workload.WorkloadOptions;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A scenario: a cluster, a network, a workload, faults, limits. Immutable; one object serves all
 * seeds.
 *
 * @param name name of the scenario, or path of its file
 * @param cluster set-up of the database
 * @param fabric the network
 * @param workloadKind workload of the clients
 * @param workload size of the workload
 * @param longTransactions long transactions that some clients run now and then
 * @param faults injected faults
 * @param crashes how compute nodes lose the pool, one after the other
 * @param replicas copies of the pool, and their faults
 * @param transactions commits wanted of each client
 * @param liveness longest virtual time that a client may go without a commit while no fault is
 *     active
 * @param patience maximum number of commits of other clients before the next commit of a client; 0:
 *     any number
 * @param horizonAge maximum age of a horizon that is not held back; 0: any
 * @param timeLimit virtual time after which a run has failed
 * @param stepLimit steps after which a run has failed
 * @param stopAfter virtual time for which clients run if coordinators are stopped: the other
 *     clients may wait for the stopped ones for ever
 */
public record Scenario(
    String name,
    ClusterOptions cluster,
    FabricModel fabric,
    WorkloadKind workloadKind,
    WorkloadOptions workload,
    LongTransactions.Options longTransactions,
    FaultPlan faults,
    CrashPlan crashes,
    ReplicaPlan replicas,
    int transactions,
    long liveness,
    long patience,
    long horizonAge,
    long timeLimit,
    long stepLimit,
    long stopAfter) {
  /** Names of the scenarios that are part of the simulator. */
  public static final List<String> NAMES =
      List.of(
          "bank",
          "bank-snapshot",
          "bank-sql",
          "mirror",
          "mirror-sql",
          "owned",
          "owned-sql",
          "growth",
          "tiny-pool",
          "registers",
          "registers-snapshot",
          "registers-sql",
          "schema",
          "schema-copies",
          "schema-tree",
          "holders",
          "lists",
          "orders",
          "orders-sql",
          "slow-nodes",
          "hot-row",
          "throws",
          "throws-owned",
          "throws-sql",
          "old-snapshots",
          "old-snapshots-sql",
          "late-nodes",
          "children",
          "children-bank",
          "crashes",
          "crashes-snapshot",
          "crashes-owned",
          "crashes-mirror",
          "crashes-orders",
          "crashes-registers",
          "crashes-lists",
          "crashes-sql",
          "crashes-registers-sql",
          "crashes-tree",
          "several-bank",
          "several-registers",
          "several-alike",
          "several-cuts",
          "several-lanes",
          "several-many",
          "several-large",
          "several-word",
          "several-lists",
          "several-owned",
          "several-snapshots",
          "several-leaves",
          "several-deaths",
          "several-links",
          "several-deaths-owned",
          "several-deaths-lists",
          "several-tree",
          "several-long",
          "several-rare",
          "several-stopped",
          "several-garbage",
          "several-sql",
          "several-copies",
          "several-copies-owned",
          "several-copies-views",
          "several-schema-deaths",
          "several-throws",
          "several-throws-sql",
          "links",
          "amnesia");

  /** Values of the keys that an adverse scenario adds where its file does not set them. */
  private static final Map<String, String> ADVERSE =
      Map.of(
          "long.clients", "1",
          "long.every", "40",
          "long.length", "3ms",
          "long.commits", "false",
          "liveness", "400ms", // clients wait for the long transaction, as in several-long
          "fault.pause.every", "200us",
          "fault.pause.length", "150us",
          "fault.pause.background", "0.5");

  /**
   * Loads a scenario by its name or by the path of its file, as {@link #load(String, Map, boolean)}
   * does without adverse additions.
   */
  public static Scenario load(String nameOrFile, Map<String, String> overrides) throws IOException {
    return load(nameOrFile, overrides, false);
  }

  /**
   * Loads a scenario by its name or by the path of its file.
   *
   * @param overrides values of keys, which take precedence over the file
   * @param isAdverse whether to add a long transaction and slow threads; ignored for scenarios with
   *     {@code patience}
   * @throws IllegalArgumentException if there is no such scenario, or its file has an invalid or
   *     unknown key
   */
  public static Scenario load(String nameOrFile, Map<String, String> overrides, boolean isAdverse)
      throws IOException {
    Settings settings = Settings.resource(Scenario.class, nameOrFile + ".properties");
    if (settings == null) {
      Path file = Path.of(nameOrFile);
      if (!Files.isReadable(file)) {
        throw new IllegalArgumentException(
            "no scenario and no file '" + nameOrFile + "'; there are " + String.join(", ", NAMES));
      }
      settings = Settings.read(file);
    }
    overrides.forEach(settings::set);
    if (isAdverse && !settings.has("patience")) {
      for (Map.Entry<String, String> each : ADVERSE.entrySet()) {
        if (!settings.has(each.getKey())) {
          settings.set(each.getKey(), each.getValue());
        }
      }
    }
    Scenario scenario = of(nameOrFile, settings);
    settings.refuseUnknown();
    return scenario;
  }

  /** Returns the description of a scenario that is part of the simulator. */
  static String description(String name) throws IOException {
    return Settings.resource(Scenario.class, name + ".properties").text("description", "");
  }

  private static Scenario of(String name, Settings settings) {
    settings.text("description", "");
    return new Scenario(
        name,
        ClusterOptions.of(settings),
        FabricModel.of(settings),
        settings.choice("workload", WorkloadKind.class, WorkloadKind.BANK),
        WorkloadOptions.of(settings),
        LongTransactions.Options.of(settings),
        FaultPlan.of(settings),
        CrashPlan.of(settings),
        ReplicaPlan.of(settings),
        settings.integer("transactions", 150),
        settings.nanos("liveness", "100ms"),
        settings.integer("patience", 0),
        settings.nanos("horizon-age", "0ns"),
        settings.nanos("time-limit", "60s"),
        (long) settings.number("step-limit", 50e6),
        settings.nanos("stop-after", "5ms"));
  }

  /** Returns true if compute nodes that share the pool may fail, or be declared failed. */
  boolean losesComputeNodes() {
    return crashes.count() > 0
        || faults.throwsSomething()
        || faults.silencesComputeNodes()
        || replicas.stopEvery() > 0;
  }

  Workload newWorkload(SimWorld world) {
    return LongTransactions.beside(
        newUsualWorkload(world::now), longTransactions, workload.keys(), world);
  }

  private Workload newUsualWorkload(LongSupplier now) {
    return switch (workloadKind) {
      case BANK -> new BankWorkload(workload);
      case HOLDERS -> new HoldersWorkload(workload, cluster.textLength());
      case ORDERS -> new OrdersWorkload(workload);
      case MIRROR -> new MirrorWorkload(workload, cluster.indexed());
      case REGISTERS -> new RecordedWorkload(workload, false, cluster, now);
      case LISTS -> new RecordedWorkload(workload, true, cluster, now);
      case OWNED -> new OwnedRowsWorkload(workload, cluster);
    };
  }
}
