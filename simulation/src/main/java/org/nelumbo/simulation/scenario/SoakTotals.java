package org.nelumbo.simulation.scenario;

import java.util.LinkedHashMap;
import java.util.Map;
import org.nelumbo.simulation.fault.FaultCounts;
import org.nelumbo.simulation.world.SimRandom;

/** Sums over the runs of soaks, by name; faults also by the seeds that had any of a kind. */
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

  /** Adds the {@link #counts} of others, of which the hash is not known. */
  void addAll(Map<String, Long> others) {
    others.forEach(this::add);
  }

  /** All sums by name; a copy. */
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

  /** Seeds run. */
  public long runs() {
    return count("runs");
  }

  /** Seeds that failed. */
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

  /** Statements that changed the form of the table. */
  public long schemaChanges() {
    return count("schemaChanges");
  }

  /** Such statements that were refused, and changed nothing. */
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

  /** Faults of a kind, see {@link FaultCounts#byKind}. */
  public long faults(String kind) {
    return count(FAULTS + kind);
  }

  /** Seeds that had faults of a kind. */
  public long seedsWith(String kind) {
    return count(SEEDS_WITH + kind);
  }

  /** Faults of all kinds. */
  public long faults() {
    long sum = 0;
    for (String name : counts.keySet()) {
      sum +=
          name.startsWith(FAULTS) && !name.equals(FAULTS + FaultCounts.TAKEOVERS) ? count(name) : 0;
    }
    return sum;
  }

  /** The kinds of faults that there were, with their numbers. */
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

  /** Stands for the event traces of all runs, in whatever order they were made. */
  public long hash() {
    return hash;
  }
}
