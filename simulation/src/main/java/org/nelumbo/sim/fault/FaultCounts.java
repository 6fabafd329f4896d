package org.nelumbo.sim.fault;

/** How many faults were injected, by kind. */
public final class FaultCounts {
  long stops;
  long nodeStops;
  long memoryNodeStops;
  long pauses;
  long delays;
  long losses;

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

  /** All of them. */
  public long total() {
    return stops + nodeStops + memoryNodeStops + pauses + delays + losses;
  }

  /** Adds the counts of another run. */
  public void add(FaultCounts other) {
    stops += other.stops;
    nodeStops += other.nodeStops;
    memoryNodeStops += other.memoryNodeStops;
    pauses += other.pauses;
    delays += other.delays;
    losses += other.losses;
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
        + losses;
  }
}
