package org.nelumbo.simulation.scale;

import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.fabric.VerbKind;
import org.nelumbo.simulation.fabric.VerbObserver;
import org.nelumbo.simulation.world.SimTask;

/**
 * The verbs of a run: those of the clients by type of transaction, those of aborted attempts, and
 * those of other threads, which are in the background.
 */
final class VerbLedger implements VerbObserver {
  static final String ABORTED = "(aborted)";
  static final String BACKGROUND = "(background)";

  private final Map<SimTask, VerbTotals> attempts = new HashMap<>();
  private final SortedMap<String, VerbTotals> types = new TreeMap<>();
  private final VerbTotals[] nodes;
  private boolean isMeasuring;

  VerbLedger(int memoryNodes) {
    nodes = new VerbTotals[memoryNodes];
    for (int node = 0; node < memoryNodes; node++) {
      nodes[node] = new VerbTotals();
    }
  }

  /** Counts the verbs from now on, or no longer. */
  void setMeasuring(boolean isOn) {
    isMeasuring = isOn;
  }

  /** Counts the verbs of a task as those of transactions from now on. */
  void addClient(SimTask task) {
    attempts.put(task, new VerbTotals());
  }

  @Override
  public void posted(SimTask task, int node, VerbKind kind, int bytes, String site) {
    if (isMeasuring) {
      nodes[node].add(kind, bytes, "");
      VerbTotals attempt = attempts.get(task);
      (attempt == null ? type(BACKGROUND) : attempt).add(kind, bytes, site);
    }
  }

  private VerbTotals type(String name) {
    return types.computeIfAbsent(name, _ -> new VerbTotals());
  }

  /** Ends an attempt of a client, and adds its verbs to those of a type of transaction. */
  void end(SimTask client, String type) {
    VerbTotals attempt = attempts.get(client);
    if (isMeasuring) {
      type(type).add(attempt);
    }
    attempt.clear();
  }

  SortedMap<String, VerbTotals> types() {
    return types;
  }

  /** Returns the verbs at a memory node. */
  VerbTotals.Counts node(int node) {
    return nodes[node].all();
  }

  /** Returns the time that a card needs for verbs of a kind without their bytes, nanoseconds. */
  static double nanos(FabricModel model, VerbTotals.Counts verbs, VerbKind kind) {
    boolean isAtomic = kind == VerbKind.CAS || kind == VerbKind.FAA;
    return verbs.verbs(kind) * (isAtomic ? model.atomic() : model.readWrite());
  }
}
