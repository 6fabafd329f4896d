package org.nelumbo.simulation.litmus;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.checker.HistoryChecker;
import org.nelumbo.checker.Verdict;
import org.nelumbo.executor.timestamp.ClockKind;
import org.nelumbo.history.History;
import org.nelumbo.history.HistoryRecorder;
import org.nelumbo.history.HistoryText;
import org.nelumbo.history.SessionRecorder;
import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.cluster.Api;
import org.nelumbo.simulation.cluster.Cluster;
import org.nelumbo.simulation.cluster.ClusterOptions;
import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.QuiescenceCheck;
import org.nelumbo.simulation.cluster.SchemaOptions;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.cluster.Violation;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.fabric.SimFabric;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.fault.FaultInjector;
import org.nelumbo.simulation.fault.FaultPlan;
import org.nelumbo.simulation.fault.StopPoint;
import org.nelumbo.simulation.trace.Trace;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A runner of litmus cases, each in its own world: the rows of the script, a coordinator for each
 * transaction, then a check of the final rows. The other coordinators may wait for ever for a
 * stopped one: after {@value #PATIENCE_NANOS} ns of virtual time they are stopped, too, and count
 * as waiting. Then the whole compute node stops, and another one attaches. It must find a state
 * that the history allows, be able to write every row, and leave no locks or memory behind. For one
 * thread.
 */
public final class LitmusRun {
  private static final long PATIENCE_NANOS = 3_000_000;

  /** Time after which no verb of a stopped coordinator lands any more. */
  private static final long LATE_NANOS = 15_000_000;

  private static final long LOCK_TIMEOUT_NANOS = 300_000;
  private static final int RELEASE_POLLS = 50;
  private static final long RELEASE_POLL_NANOS = 20_000;
  private static final long DELAY_NANOS_MAX = 20_000;
  private static final int MEMORY_NODES = 2;
  private static final long NODE_BYTES = 4L << 20;
  private static final long TIME_LIMIT = 60_000_000_000L;
  private static final long STEP_LIMIT = 500_000;

  /** A delay of one verb in ten, on schedules with an odd seed and without a stop. */
  private static final FaultPlan DELAYS =
      new FaultPlan(
          0,
          0.1,
          DELAY_NANOS_MAX,
          false,
          0,
          0,
          0,
          false,
          0,
          0,
          StopPoint.Kind.VERB,
          0,
          1,
          0,
          0,
          "",
          0,
          0,
          0,
          0);

  private final SimMemory memory = new SimMemory();
  private final FabricModel model;
  private final Cluster.EngineFactory engines;

  /** Creates runs of the production engine on the network of the LOTUS paper. */
  public LitmusRun() {
    this(FabricModel.preset("lotus-56g"), Cluster.EngineFactory.PRODUCTION);
  }

  /** Creates runs of an engine from another factory. */
  public LitmusRun(FabricModel model, Cluster.EngineFactory engines) {
    this.model = model;
    this.engines = engines;
  }

  /** Runs a case and writes its events to the trace. */
  public LitmusResult run(LitmusCase what, Trace trace) {
    SimWorld world = new SimWorld(what.seed(), trace);
    world.setLimits(TIME_LIMIT, STEP_LIMIT);
    SimNode node = world.addNode("cn0");
    SimFabric fabric = new SimFabric(world, model, MEMORY_NODES, NODE_BYTES, memory);
    try {
      return new One(what, world, node, fabric).run();
    } finally {
      world.close();
      fabric.release();
    }
  }

  private final class One {
    private final LitmusCase what;
    private final LitmusScript script;
    private final SimWorld world;
    private final SimNode node;
    private final SimFabric fabric;
    private final FaultInjector faults;
    private final HistoryRecorder recorder = new HistoryRecorder();
    private final RowValues rowValues = new RowValues();
    private final Map<String, Integer> keys = new LinkedHashMap<>();
    private final List<LitmusClient> clients = new ArrayList<>();
    private final List<SimTask> tasks = new ArrayList<>();
    private final Map<String, String> endState = new LinkedHashMap<>();
    private final Map<String, String> found = new LinkedHashMap<>();
    private Cluster cluster;
    private ResidualState residualState = ResidualState.NONE;
    private int locksLeft;

    One(LitmusCase what, SimWorld world, SimNode node, SimFabric fabric) {
      this.what = what;
      this.script = what.script();
      this.world = world;
      this.node = node;
      this.fabric = fabric;
      boolean isDelayed = what.stop() == null && (what.seed() & 1) == 1;
      this.faults = new FaultInjector(fabric, isDelayed ? DELAYS : FaultPlan.NONE);
      for (String key : script.keys()) {
        keys.put(key, keys.size() + 1);
      }
    }

    LitmusResult run() {
      world.run(node, "T0", this::setUp);
      for (LitmusScript.Script each : script.transactions()) {
        start(each);
      }
      if (what.stop() != null) {
        faults.stopAt(tasks.get(what.victim()), what.stop());
        world.at(world.now() + PATIENCE_NANOS, this::losePatience);
      }
      world.run();
      world.run(node, "end", this::look);
      boolean stopped = what.stop() != null && faults.counts().stops() > 0;
      if (stopped) {
        recover();
      }
      History history = recorder.history();
      return new LitmusResult(
          outcome(),
          stopped,
          residualState.describe(),
          found.toString().replaceAll("[{},]", ""),
          problem(history, stopped),
          history,
          world.trace().hash());
    }

    private void setUp() throws TransactionFailed {
      ClusterOptions options =
          new ClusterOptions(
              Api.NATIVE,
              what.policy(),
              LOCK_TIMEOUT_NANOS,
              1,
              MEMORY_NODES,
              NODE_BYTES,
              2,
              true,
              true,
              false,
              false,
              20,
              false,
              64,
              10_000_000_000L,
              0,
              1 << 12,
              0,
              false,
              0,
              0,
              ClockKind.WORD,
              0,
              SchemaOptions.NONE);
      cluster = Cluster.open(fabric, node, options, engines);
      SessionRecorder session = recorder.session(0);
      try (ClusterSession clusterSession = cluster.newSession()) {
        session.begin(Isolation.SERIALIZABLE, world.now());
        clusterSession.begin(Isolation.SERIALIZABLE, false);
        for (String key : script.start()) {
          long value = rowValues.next("T0");
          clusterSession.insert(keys.get(key), value, 0, "");
          session.insert(keys.get(key), value);
        }
        clusterSession.commit();
        session.committed(world.now());
      }
    }

    private void start(LitmusScript.Script each) {
      int number = clients.size() + 1;
      LitmusClient client =
          new LitmusClient(
              each, what.isolation(), world, recorder.session(number), rowValues, keys);
      clients.add(client);
      tasks.add(
          world.spawn(
              node,
              each.name(),
              () -> {
                try (ClusterSession clusterSession = cluster.newSession()) {
                  client.run(clusterSession);
                }
              }));
    }

    private void losePatience() {
      for (SimTask task : tasks) {
        if (task.isAlive()) {
          world.stop(task);
        }
      }
    }

    /** Leaves out rows with an INVISIBLE cell, which is never resolved. */
    private void look() throws TransactionFailed {
      if (faults.counts().stops() > 0) {
        world.sleepUntil(world.now() + LATE_NANOS);
        residualState = ResidualState.of(cluster, keys, tasks.get(what.victim()));
      } else {
        awaitRelease();
      }
      SessionRecorder session = recorder.session(99);
      try (ClusterSession clusterSession = cluster.newSession()) {
        session.begin(Isolation.SERIALIZABLE, world.now());
        clusterSession.begin(Isolation.SERIALIZABLE, true);
        for (Map.Entry<String, Integer> each : keys.entrySet()) {
          endState.put(
              each.getKey(), look(clusterSession, session, each.getKey(), each.getValue()));
        }
        clusterSession.commit();
        session.committed(world.now());
      }
    }

    private void recover() {
      faults.stopTasksOf(node, null);
      SimNode other = world.addNode("cn1");
      world.run(
          other,
          "recovery",
          () -> {
            Cluster recovered = cluster.attach(other, engines);
            try (ClusterSession clusterSession = recovered.newSession()) {
              lookAtAll(clusterSession);
              writeAll(clusterSession);
            } catch (TransactionFailed e) {
              throw new Violation("the pool is recovered, but cannot be used: " + e.reason());
            }
            QuiescenceCheck.check(recovered);
          });
    }

    private void lookAtAll(ClusterSession clusterSession) throws TransactionFailed {
      SessionRecorder session = recorder.session(100);
      session.begin(Isolation.SERIALIZABLE, world.now());
      clusterSession.begin(Isolation.SERIALIZABLE, false);
      for (Map.Entry<String, Integer> each : keys.entrySet()) {
        found.put(each.getKey(), read(clusterSession, session, each.getValue()));
      }
      clusterSession.commit();
      session.committed(world.now());
    }

    private void writeAll(ClusterSession clusterSession) throws TransactionFailed {
      clusterSession.begin(Isolation.SERIALIZABLE, false);
      for (Map.Entry<String, Integer> each : keys.entrySet()) {
        boolean missing = found.get(each.getKey()).equals(RowValues.MISSING);
        int key = each.getValue();
        if (missing
            ? !clusterSession.insert(key, 1, 0, "")
            : !clusterSession.update(key, 1, 0, "")) {
          throw new Violation("a recovered row cannot be written: " + each.getKey());
        }
      }
      clusterSession.commit();
    }

    /** The sweeper also takes locks for short times. */
    private void awaitRelease() {
      locksLeft = cluster.engine().lockTable().heldCount();
      for (int poll = 0; locksLeft > 0 && poll < RELEASE_POLLS; poll++) {
        world.sleepUntil(world.now() + RELEASE_POLL_NANOS);
        locksLeft = cluster.engine().lockTable().heldCount();
      }
    }

    private String look(
        ClusterSession clusterSession, SessionRecorder session, String name, int key)
        throws TransactionFailed {
      return residualState.isInvisible(name) ? "?" : read(clusterSession, session, key);
    }

    private String read(ClusterSession clusterSession, SessionRecorder session, int key)
        throws TransactionFailed {
      if (clusterSession.read(key, false)) {
        session.read(key, clusterSession.value());
        return rowValues.writer(clusterSession.value());
      }
      session.readNothing(key);
      return RowValues.MISSING;
    }

    private String outcome() {
      StringBuilder text = new StringBuilder();
      for (LitmusClient client : clients) {
        switch (client.end()) {
          case COMMITTED ->
              text.append(client.isShown() ? client.name() + "(" + client.seen() + ") " : "");
          case GAVE_UP -> text.append(client.name()).append("! ");
          case REFUSED -> text.append(client.name()).append("? ");
          case RUNNING -> text.append(client.name()).append("... ");
        }
      }
      endState.forEach((key, writer) -> text.append(key).append('=').append(writer).append(' '));
      return text.toString().strip();
    }

    private String problem(History history, boolean stopped) {
      Verdict verdict = HistoryChecker.check(history);
      if (!verdict.isValid()) {
        return verdict + "\n" + HistoryText.format(history);
      }
      if (!stopped) {
        for (LitmusClient client : clients) {
          if (client.end() == LitmusClient.End.RUNNING
              || client.end() == LitmusClient.End.REFUSED) {
            return client.name() + " did not complete";
          }
        }
        return locksLeft == 0 ? null : "locks were not released count=" + locksLeft;
      }
      String problem = residualState.problem();
      if (problem == null) {
        problem = needlessWait();
      }
      return problem != null ? problem : halfRecovered();
    }

    /**
     * Since the victim stopped, no other transaction has written the rows that it had locked: all
     * of its changes have to be recovered, or none.
     */
    private String halfRecovered() {
      LitmusScript.Script victim = script.transactions().get(what.victim());
      if (!found.containsValue(victim.name())) {
        return null;
      }
      Map<String, String> wanted = new LinkedHashMap<>(found);
      for (ScriptStep scriptStep : victim.steps()) {
        if (scriptStep.writes() && residualState.isWriteLocked(scriptStep.key())) {
          boolean deleted = scriptStep.kind() == ScriptStep.Kind.DELETE;
          wanted.put(scriptStep.key(), deleted ? RowValues.MISSING : victim.name());
        }
      }
      return wanted.equals(found) ? null : victim.name() + " is partly recovered: " + found;
    }

    private String needlessWait() {
      for (LitmusClient client : clients) {
        boolean ended =
            client.end() == LitmusClient.End.COMMITTED || client.end() == LitmusClient.End.GAVE_UP;
        boolean victim = client == clients.get(what.victim());
        if (!ended && !victim && !client.needsAnyOf(residualState)) {
          return client.name()
              + " waited for no lock of the victim, left: "
              + residualState.describe();
        }
      }
      return null;
    }
  }
}
