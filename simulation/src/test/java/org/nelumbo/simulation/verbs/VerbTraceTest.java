package org.nelumbo.simulation.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.cluster.Cluster;
import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.fabric.SimFabric;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.fabric.SimPool;
import org.nelumbo.simulation.replication.SimReplicas;
import org.nelumbo.simulation.scenario.Scenario;
import org.nelumbo.simulation.trace.Trace;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * Compares the verbs of each operation of the engine, flush by flush, with the files next to this
 * class. {@code -Dnelumbo.test.jvm=-Dnelumbo.traces.write=true} rewrites the files.
 */
class VerbTraceTest {
  private static final Path FILES = Path.of("src/test/resources/org/nelumbo/simulation/verbs");
  private static final Map<String, String> CALM =
      Map.of(
          "compute-nodes", "1",
          "crash.count", "0",
          "fabric.jitter", "0ns",
          "fabric.torn-chance", "0",
          "indexed", "true",
          "versions", "2");

  private static final long SWEEP_NANOS = 300_000_000;

  /** Time without heartbeats after which a memory node serves a new compute node. */
  private static final long LEASE_NANOS = 10_000_000;

  @ParameterizedTest
  @ValueSource(strings = {"one-copy", "three-copies"})
  void shouldPostTheVerbsOfTheTrace(String name) throws Exception {
    check(name, new Run(name.equals("three-copies") ? 3 : 0, 1), Run::alone);
  }

  @ParameterizedTest
  @ValueSource(strings = {"shared-one-copy", "shared-three-copies"})
  void shouldPostTheVerbsOfTheTraceOfASharedPool(String name) throws Exception {
    check(name, new Run(name.equals("shared-three-copies") ? 3 : 0, 2), Run::shared);
  }

  @ParameterizedTest
  @ValueSource(strings = {"recovery-one-copy", "recovery-three-copies"})
  void shouldPostTheVerbsOfTheTraceOfARecovery(String name) throws Exception {
    check(name, new Run(name.equals("recovery-three-copies") ? 3 : 0, 1), Run::fail);
  }

  /** A script that a run executes. */
  @FunctionalInterface
  private interface Script {
    void run(Run run) throws Exception;
  }

  private static void check(String name, Run run, Script script) throws Exception {
    String trace = run.trace(script);
    Path file = FILES.resolve(name + ".trace");
    if (Boolean.getBoolean("nelumbo.traces.write")) {
      Files.createDirectories(FILES);
      Files.writeString(file, trace);
    }
    assertEquals(Files.readString(file), trace);
  }

  /** A pool with table T, its compute node, and the recorded verbs. */
  private static final class Run {
    private final Scenario scenario;
    private final SimWorld world = new SimWorld(1, Trace.hashing());
    private final SimNode node = world.addNode("cn");
    private final VerbScript script = new VerbScript(world);
    private final SimPool pool;
    private Cluster cluster;

    /** Runs on another compute node after the script has ended. */
    private Runnable afterwards = () -> {};

    private long lastRow = 2;

    Run(int copies, int computeNodes) throws Exception {
      Map<String, String> settings = new HashMap<>(CALM);
      settings.put("compute-nodes", "" + computeNodes);
      settings.put("memory-nodes", copies == 0 ? "1" : "3");
      settings.put("replicas.copies", "" + copies);
      scenario = Scenario.load("several-copies", settings);
      pool =
          copies == 0
              ? new SimFabric(world, scenario.fabric(), 1, scenario.cluster().nodeBytes())
              : SimReplicas.of(
                  world,
                  scenario.fabric(),
                  3,
                  scenario.cluster().nodeBytes(),
                  new SimMemory(),
                  scenario.replicas());
    }

    String trace(Script what) throws Exception {
      try {
        world.run(
            node,
            "script",
            () -> {
              cluster = Cluster.open(pool, node, scenario.cluster(), this::engine);
              pool.setFaults(script);
              what.run(this);
            });
        afterwards.run();
        return script.text();
      } finally {
        world.close();
        pool.release();
      }
    }

    private Engine engine(Environment environment, Fabric fabric, EngineOptions options) {
      return new Engine(environment, script.traced(fabric), options);
    }

    void alone() throws Exception {
      try (ClusterSession session = cluster.newSession();
          ClusterSession other = cluster.newSession()) {
        insert(session, 1);
        script.step("A session inserts a row, and commits", () -> insert(session, 2));
        update(other, 1, 1);
        script.step("Another session reads the row", () -> read(other, 2));
        script.step("It updates the row, and commits", () -> update(other, 2, 5));
        script.step("It updates two rows, and commits", () -> updateTwo(other));
        session.begin(Isolation.SNAPSHOT, true);
        assertTrue(session.read(2, false));
        update(other, 2, 7);
        script.step(
            "It updates a row whose cells all have versions that a snapshot needs: one moves out",
            () -> update(other, 2, 8));
        script.step(
            "The snapshot reads the version that has moved",
            () -> assertTrue(session.read(2, false)));
        session.commit();
        script.step("A session deletes the row, and commits", () -> delete(other, 2));
        script.stepUntil(
            "(1024)\n  WRITE",
            "A session inserts a row whose leaf of an ordered index is full, and splits it",
            () -> insert(other, ++lastRow));
        for (long row = 3; row <= lastRow; row++) {
          delete(other, row);
        }
        script.stepOfAll(
            "The sweeper removes the deleted rows",
            () -> world.sleepUntil(world.now() + SWEEP_NANOS));
        script.stepUntil(
            "splitIntent",
            "A session inserts a row whose segment of the hash index is full, and splits it",
            () -> insert(other, ++lastRow));
      }
      if (pool instanceof SimReplicas replicas) {
        failAndReturn(replicas);
      }
    }

    private void failAndReturn(SimReplicas replicas) throws Exception {
      try (ClusterSession session = cluster.newSession()) {
        update(session, 1, 1);
        replicas.stopNode(1);
        script.stepOfAll(
            "A memory node fails while a session updates a row", () -> update(session, 1, 2));
        script.step("The session updates the row again", () -> update(session, 1, 2));
        replicas.restartNode(1);
        script.stepOfAll("It is back, and is filled", replicas::awaitWhole);
        script.step("It is back and filled: a session updates a row", () -> update(session, 1, 3));
      }
    }

    void fail() throws Exception {
      try (ClusterSession session = cluster.newSession()) {
        insert(session, 1);
        insert(session, 2);
      }
      SimTask victim =
          world.spawnInBackground(
              node,
              "victim",
              () -> {
                ClusterSession session = cluster.newSession();
                update(session, 1, 1);
                script.stopAfter(2);
                script.step(
                    "A compute node fails when the versions of a commit are INVISIBLE",
                    () -> update(session, 1, 2));
              });
      while (victim.isAlive()) {
        world.sleepUntil(world.now() + 1_000);
      }
      afterwards = this::recover;
    }

    /** Recovers the pool at another compute node, after all tasks of the first one are stopped. */
    private void recover() {
      for (SimTask each : List.copyOf(world.tasks())) {
        if (each.isAlive()) {
          pool.stop(each);
        }
      }
      SimNode second = world.addNode("cn2");
      world.run(
          second,
          "recovery",
          () -> {
            world.sleepUntil(world.now() + LEASE_NANOS);
            script.step(
                "Another compute node recovers the pool",
                () -> cluster.attach(second, this::engine));
          });
    }

    void shared() throws Exception {
      SimNode second = world.addNode("other");
      SimTask joining = world.spawn(second, "join", () -> cluster.join(second).watch());
      while (joining.isAlive()) {
        world.sleepUntil(world.now() + 1_000);
      }
      cluster.awaitBalance();
      try (ClusterSession session = cluster.newSession()) {
        for (int row = 1; row <= 2; row++) {
          int id = row;
          script.step("A session inserts row " + row + ", and commits", () -> insert(session, id));
          script.step("It reads the row", () -> read(session, id));
          script.step("It updates the row, and commits", () -> update(session, id, 5));
        }
        script.step("It updates both rows, and commits", () -> updateTwo(session));
        script.step("It deletes row 2, and commits", () -> delete(session, 2));
      }
    }

    private static void read(ClusterSession session, long id) throws TransactionFailed {
      session.begin(Isolation.SERIALIZABLE, false);
      assertTrue(session.read(id, false));
      session.commit();
    }

    private static void insert(ClusterSession session, long id) throws TransactionFailed {
      session.begin(Isolation.SERIALIZABLE, false);
      assertTrue(session.insert(id, 1, id, "a"));
      session.commit();
    }

    private static void update(ClusterSession session, long id, long value)
        throws TransactionFailed {
      session.begin(Isolation.SERIALIZABLE, false);
      assertTrue(session.update(id, value, id, "c"));
      session.commit();
    }

    private static void updateTwo(ClusterSession session) throws TransactionFailed {
      session.begin(Isolation.SERIALIZABLE, false);
      assertTrue(session.update(1, 6, 1, "a"));
      assertTrue(session.update(2, 6, 2, "b"));
      session.commit();
    }

    private static void delete(ClusterSession session, long id) throws TransactionFailed {
      session.begin(Isolation.SERIALIZABLE, false);
      assertTrue(session.delete(id));
      session.commit();
    }
  }
}
