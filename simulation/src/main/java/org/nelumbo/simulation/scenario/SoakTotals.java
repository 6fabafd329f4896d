package org.nelumbo.simulation.scenario;

import java.util.LinkedHashMap;
import java.util.Map;
import org.nelumbo.simulation.fault.FaultCounts;
import org.nelumbo.simulation.world.SimRandom;

/**
 * Sums over the runs of soaks, by name. Faults are also counted by the seeds that had any of a
 * kind.
 */
public final class SoakTotals {
  private static final String FAULTS = "fault.";
  private static final String SEEDS_WITH = "seeds-with.";

  private final Map<String, Long> counts = new LinkedHashMap<>();
  private long hash;

  void add(ScenarioResult result) {
    add("runs", 1);
    add("violations", result.isOk() ? 0 : 1);
    add("committed", result.committed());
    add("conflicts", result.conflicts());
    add("exhausted", result.exhausted());
    add("lost", result.lost());
    add("unknown", result.unknown());
    add("schemaChanges", result.schemaChanges());
    add("schemaRefusals", result.schemaRefusals());
    add("steps", result.steps());
    add("verbs", result.verbs());
    add("flushes", result.flushes());
    add("virtualNanos", result.virtualNanos());
    hash ^= SimRandom.mix(result.hash() + result.seed());
    result
        .faults()
        .byKind()
        .forEach(
            (kind, count) -> {
              add(FAULTS + kind, count);
              add(SEEDS_WITH + kind, count > 0 ? 1 : 0);
            });
  }

  private void add(String name, long count) {
    counts.merge(name, count, Long::sum);
  }

  /** Adds the {@link #counts} of other soaks, without their hashes. */
  void addAll(Map<String, Long> others) {
    others.forEach(this::add);
  }

  /** Returns a copy of all sums, by name. */
  Map<String, Long> counts() {
    return new LinkedHashMap<>(counts);
  }

  SoakTotals copy() {
    SoakTotals copy = new SoakTotals();
    copy.addAll(counts);
    copy.hash = hash;
    return copy;
  }

  private long count(String name) {
    return counts.getOrDefault(name, 0L);
  }

  /** Returns the number of seeds run. */
  public long runs() {
    return count("runs");
  }

  /** Returns the number of seeds that failed. */
  public long violations() {
    return count("violations");
  }

  public long committed() {
    return count("committed");
  }

  public long conflicts() {
    return count("conflicts");
  }

  public long exhausted() {
    return count("exhausted");
  }

  public long lost() {
    return count("lost");
  }

  public long unknown() {
    return count("unknown");
  }

  /** Returns the number of statements that changed the table definition. */
  public long schemaChanges() {
    return count("schemaChanges");
  }

  /** Returns the number of such statements that were refused without effect. */
  public long schemaRefusals() {
    return count("schemaRefusals");
  }

  public long steps() {
    return count("steps");
  }

  public long verbs() {
    return count("verbs");
  }

  public long flushes() {
    return count("flushes");
  }

  public long virtualNanos() {
    return count("virtualNanos");
  }

  /** Returns the number of faults of a kind, see {@link FaultCounts#byKind}. */
  public long faults(String kind) {
    return count(FAULTS + kind);
  }

  /** Returns the number of seeds that had faults of a kind. */
  public long seedsWith(String kind) {
    return count(SEEDS_WITH + kind);
  }

  /** Returns the number of faults of all kinds. Takeovers are not faults. */
  public long faults() {
    long sum = 0;
    for (String name : counts.keySet()) {
      sum +=
          name.startsWith(FAULTS) && !name.equals(FAULTS + FaultCounts.TAKEOVERS) ? count(name) : 0;
    }
    return sum;
  }

  /** Returns the kinds of faults that occurred, with their numbers. */
  public Map<String, Long> faultsByKind() {
    Map<String, Long> kinds = new LinkedHashMap<>();
    counts.forEach(
        (name, count) -> {
          if (name.startsWith(FAULTS) && count > 0) {
            kinds.put(name.substring(FAULTS.length()), count);
          }
        });
    return kinds;
  }

  /** Returns a hash of the event traces of all runs, independent of their order. */
  public long hash() {
    return hash;
  }
}
