package org.nelumbo.simulation.litmus;

import java.util.Map;
import org.nelumbo.history.SessionRecorder;
import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.cluster.ClusterSession;
import org.nelumbo.simulation.cluster.TransactionFailed;
import org.nelumbo.simulation.world.SimRandom;
import org.nelumbo.simulation.world.SimWorld;

/**
 * One coordinator of a litmus run. It executes its script, retries after conflicts, and records its
 * actions and reads. It waits for a seeded time before each operation, and sometimes for a longer
 * one before the first, so that some schedules overlap and some do not.
 */
final class LitmusClient {
  private static final int ATTEMPTS_MAX = 40;
  private static final long PAUSE_NANOS_MAX = 8_000;
  private static final long FIRST_PAUSE_NANOS_MAX = 120_000;

  /** Result of the client. */
  enum End {
    /** The client has not ended. */
    RUNNING,
    COMMITTED,
    /** A row existed, or was missing, contrary to the script, or the script rolls back. */
    GAVE_UP,
    /** Every attempt was refused because of other transactions. */
    REFUSED
  }

  /** A row existed, or was missing, contrary to the script. */
  private static final class GivesUp extends Exception {
    private static final long serialVersionUID = 1L;

    GivesUp() {
      super("gives up", null, false, false);
    }
  }

  private final LitmusScript.Script script;
  private final Isolation isolation;
  private final SimWorld world;
  private final SimRandom random;
  private final SessionRecorder recorder;
  private final RowValues rowValues;
  private final Map<String, Integer> keys;
  private final StringBuilder seen = new StringBuilder();
  private ClusterSession clusterSession;
  private End end = End.RUNNING;

  LitmusClient(
      LitmusScript.Script script,
      Isolation isolation,
      SimWorld world,
      SessionRecorder recorder,
      RowValues rowValues,
      Map<String, Integer> keys) {
    this.script = script;
    this.isolation = isolation;
    this.world = world;
    this.random = world.random("litmus " + script.name());
    this.recorder = recorder;
    this.rowValues = rowValues;
    this.keys = keys;
  }

  String name() {
    return script.name();
  }

  /** Returns true if outcomes contain the client's reads. */
  boolean isShown() {
    return script.shown();
  }

  End end() {
    return end;
  }

  /**
   * Returns true if the state left by a stopped coordinator blocks the client. Ranges and changes
   * of the index may also meet latches.
   */
  boolean needsAnyOf(ResidualState residualState) {
    for (ScriptStep scriptStep : script.steps()) {
      boolean row =
          scriptStep.kind() == ScriptStep.Kind.READ || scriptStep.kind() == ScriptStep.Kind.WRITE;
      boolean locks = row || scriptStep.kind() == ScriptStep.Kind.LOCK;
      if (scriptStep.kind() != ScriptStep.Kind.ROLLBACK
          && (!locks || residualState.has(scriptStep.key()))) {
        return true;
      }
    }
    return false;
  }

  /** Returns the client's reads, as outcomes contain them. */
  String seen() {
    return seen.toString();
  }

  void run(ClusterSession itsRows) {
    clusterSession = itsRows;
    if (random.chance(0.5)) {
      world.sleepUntil(world.now() + random.nextLong(FIRST_PAUSE_NANOS_MAX));
    }
    for (int attempt = 0; attempt < ATTEMPTS_MAX && end == End.RUNNING; attempt++) {
      pause();
      attempt();
    }
    if (end == End.RUNNING) {
      end = End.REFUSED;
    }
  }

  private void pause() {
    world.sleepUntil(world.now() + random.nextLong(PAUSE_NANOS_MAX));
  }

  private void attempt() {
    seen.setLength(0);
    recorder.begin(isolation, world.now());
    try {
      clusterSession.begin(isolation, script.readOnly());
      for (ScriptStep scriptStep : script.steps()) {
        pause();
        execute(scriptStep);
      }
      clusterSession.commit();
      recorder.committed(world.now());
      end = End.COMMITTED;
    } catch (GivesUp e) {
      clusterSession.abort();
      recorder.aborted(world.now());
      end = End.GAVE_UP;
    } catch (TransactionFailed e) {
      clusterSession.abort();
      if (e.reason() == TransactionFailed.Reason.UNKNOWN) {
        recorder.unknown();
        end = End.REFUSED;
      } else {
        recorder.aborted(world.now());
      }
    }
  }

  private void execute(ScriptStep scriptStep) throws TransactionFailed, GivesUp {
    if (scriptStep.kind() == ScriptStep.Kind.ROLLBACK) {
      throw new GivesUp();
    }
    int key = keys.get(scriptStep.key());
    switch (scriptStep.kind()) {
      case READ -> read(scriptStep.key(), false);
      case LOCK -> read(scriptStep.key(), true);
      case WRITE -> write(key);
      case PUT -> {
        if (read(scriptStep.key(), true)) {
          write(key);
        } else {
          insert(key);
        }
      }
      case INSERT -> insert(key);
      case DELETE -> {
        demand(read(scriptStep.key(), true));
        demand(clusterSession.delete(key));
        recorder.delete(key);
      }
      case SCAN -> scan(key, keys.get(scriptStep.last()));
      case ROLLBACK -> throw new AssertionError();
    }
  }

  private static void demand(boolean holds) throws GivesUp {
    if (!holds) {
      throw new GivesUp();
    }
  }

  private boolean read(String name, boolean forUpdate) throws TransactionFailed {
    int key = keys.get(name);
    boolean there = clusterSession.read(key, forUpdate);
    if (there) {
      recorder.read(key, clusterSession.value());
    } else {
      recorder.readNothing(key);
    }
    note(name, there ? rowValues.writer(clusterSession.value()) : RowValues.MISSING);
    return there;
  }

  private void note(String name, String writer) {
    seen.append(seen.isEmpty() ? "" : " ").append(name).append('=').append(writer);
  }

  private void write(int key) throws TransactionFailed, GivesUp {
    long value = rowValues.next(script.name());
    demand(clusterSession.update(key, value, 0, ""));
    recorder.write(key, value);
  }

  private void insert(int key) throws TransactionFailed, GivesUp {
    long value = rowValues.next(script.name());
    demand(clusterSession.insert(key, value, 0, ""));
    recorder.insert(key, value);
  }

  private void scan(int low, int high) throws TransactionFailed {
    Map<Integer, Long> found = new java.util.TreeMap<>();
    clusterSession.scan(low, high, (id, value, group) -> found.put((int) id, value));
    recorder.scan(low, high);
    found.forEach(recorder::scanned);
    keys.forEach(
        (name, key) -> {
          if (key >= low && key <= high) {
            Long value = found.get(key);
            note(name, value == null ? RowValues.MISSING : rowValues.writer(value));
          }
        });
  }
}
