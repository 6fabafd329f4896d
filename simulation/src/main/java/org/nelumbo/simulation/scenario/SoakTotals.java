package org.nelumbo.simulation.scenario;

import org.nelumbo.simulation.fault.FaultCounts;
import org.nelumbo.simulation.world.SimRandom;

/** Sums over the runs of a soak. */
public final class SoakTotals {
  private long runs;
  private long violations;
  private long committed;
  private long conflicts;
  private long exhausted;
  private long lost;
  private long unknown;
  private long schemaChanges;
  private long schemaRefusals;
  private long steps;
  private long verbs;
  private long flushes;
  private long virtualNanos;
  private long lockWaits;
  private long forked;
  private long hash;
  private final FaultCounts faults = new FaultCounts();

  void add(ScenarioResult result) {
    runs++;
    violations += result.isOk() ? 0 : 1;
    committed += result.committed();
    conflicts += result.conflicts();
    exhausted += result.exhausted();
    lost += result.lost();
    unknown += result.unknown();
    schemaChanges += result.schemaChanges();
    schemaRefusals += result.schemaRefusals();
    steps += result.steps();
    verbs += result.verbs();
    flushes += result.flushes();
    virtualNanos += result.virtualNanos();
    lockWaits += result.lockWaits();
    forked += result.forked() ? 1 : 0;
    hash ^= SimRandom.mix(result.hash() + result.seed());
    faults.add(result.faults());
  }

  SoakTotals copy() {
    SoakTotals copy = new SoakTotals();
    copy.runs = runs;
    copy.violations = violations;
    copy.committed = committed;
    copy.conflicts = conflicts;
    copy.exhausted = exhausted;
    copy.lost = lost;
    copy.unknown = unknown;
    copy.schemaChanges = schemaChanges;
    copy.schemaRefusals = schemaRefusals;
    copy.steps = steps;
    copy.verbs = verbs;
    copy.flushes = flushes;
    copy.virtualNanos = virtualNanos;
    copy.lockWaits = lockWaits;
    copy.forked = forked;
    copy.hash = hash;
    copy.faults.add(faults);
    return copy;
  }

  /** Seeds run. */
  public long runs() {
    return runs;
  }

  /** Seeds that failed. */
  public long violations() {
    return violations;
  }

  public long committed() {
    return committed;
  }

  public long conflicts() {
    return conflicts;
  }

  public long exhausted() {
    return exhausted;
  }

  public long lost() {
    return lost;
  }

  public long unknown() {
    return unknown;
  }

  /** Statements that changed the form of the table. */
  public long schemaChanges() {
    return schemaChanges;
  }

  /** Such statements that were refused, and changed nothing. */
  public long schemaRefusals() {
    return schemaRefusals;
  }

  public long steps() {
    return steps;
  }

  public long verbs() {
    return verbs;
  }

  public long flushes() {
    return flushes;
  }

  public long virtualNanos() {
    return virtualNanos;
  }

  /** Waits for a Java lock whose holder waited for something itself. */
  public long lockWaits() {
    return lockWaits;
  }

  /** Seeds whose faults went further than what is promised, of which nothing is concluded. */
  public long forked() {
    return forked;
  }

  public FaultCounts faults() {
    return faults;
  }

  /** Stands for the event traces of all runs, in whatever order they were made. */
  public long hash() {
    return hash;
  }
}
