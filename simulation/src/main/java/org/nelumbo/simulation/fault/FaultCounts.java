package org.nelumbo.simulation.fault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The number of faults that were injected, by kind. */
public final class FaultCounts {
  long stops;
  long nodeStops;
  long memoryNodeStops;
  long pauses;
  long delays;
  long losses;
  long fenced;
  long recoveryStops;
  long thrown;
  long jumps;
  long amnesias;
  long cuts;
  private final List<String> injected = new ArrayList<>();
  long takeovers;

  /** Coordinators that were stopped. */
  public long stops() {
    return stops;
  }

  /** Compute nodes that were stopped. */
  public long nodeStops() {
    return nodeStops;
  }

  /** Memory nodes that were stopped. */
  public long memoryNodeStops() {
    return memoryNodeStops;
  }

  /** Pauses of coordinators and compute nodes. */
  public long pauses() {
    return pauses;
  }

  /** Verbs that were late. */
  public long delays() {
    return delays;
  }

  /** Verbs that were lost. */
  public long losses() {
    return losses;
  }

  /** Compute nodes that lived and had the pool taken away. */
  public long fenced() {
    return fenced;
  }

  /** Compute nodes that were stopped while they recovered the pool. */
  public long recoveryStops() {
    return recoveryStops;
  }

  void threw(Throwable what, String where) {
    thrown++;
    injected.add(what.getClass().getSimpleName() + " " + what.getMessage() + " in " + where);
  }

  /** What was thrown, and in which thread; of one run. */
  public List<String> injected() {
    return Collections.unmodifiableList(injected);
  }

  /** Memory nodes that came back empty, or with older content. */
  public long amnesias() {
    return amnesias;
  }

  /** Cuts of the network between a compute node and a memory node. */
  public long cuts() {
    return cuts;
  }

  /** Jumps of wall clocks. */
  public long jumps() {
    return jumps;
  }

  /** Throwables that were thrown at lines of the engine. */
  public long thrown() {
    return thrown;
  }

  /** Compute nodes that recovered the pool and went on with it; these are no faults. */
  public long takeovers() {
    return takeovers;
  }

  /** All faults. */
  public long total() {
    return stops
        + nodeStops
        + memoryNodeStops
        + pauses
        + delays
        + losses
        + fenced
        + recoveryStops
        + thrown
        + jumps
        + amnesias
        + cuts;
  }

  /** Adds the counts of another run. */
  public void add(FaultCounts other) {
    stops += other.stops;
    nodeStops += other.nodeStops;
    memoryNodeStops += other.memoryNodeStops;
    pauses += other.pauses;
    delays += other.delays;
    losses += other.losses;
    fenced += other.fenced;
    recoveryStops += other.recoveryStops;
    thrown += other.thrown;
    jumps += other.jumps;
    amnesias += other.amnesias;
    cuts += other.cuts;
    takeovers += other.takeovers;
  }

  @Override
  public String toString() {
    return "stops="
        + stops
        + " node-stops="
        + nodeStops
        + " memory-node-stops="
        + memoryNodeStops
        + " pauses="
        + pauses
        + " delays="
        + delays
        + " losses="
        + losses
        + " fenced="
        + fenced
        + " recovery-stops="
        + recoveryStops
        + " thrown="
        + thrown
        + " clock-jumps="
        + jumps
        + " amnesias="
        + amnesias
        + " cuts="
        + cuts
        + " takeovers="
        + takeovers;
  }
}
