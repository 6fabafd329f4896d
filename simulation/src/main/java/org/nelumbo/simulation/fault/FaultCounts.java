package org.nelumbo.simulation.fault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The number of injected faults, by kind. */
public final class FaultCounts {
  /** The kind that is not a fault. */
  public static final String TAKEOVERS = "takeovers";

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

  /** Returns the number of coordinators that were stopped. */
  public long stops() {
    return stops;
  }

  /** Returns the number of compute nodes that were stopped. */
  public long nodeStops() {
    return nodeStops;
  }

  /** Returns the number of memory nodes that were stopped. */
  public long memoryNodeStops() {
    return memoryNodeStops;
  }

  /** Returns the number of pauses of coordinators and compute nodes. */
  public long pauses() {
    return pauses;
  }

  /** Returns the number of verbs that were late. */
  public long delays() {
    return delays;
  }

  /** Returns the number of verbs that were lost. */
  public long losses() {
    return losses;
  }

  /** Returns the number of live compute nodes that lost the pool to another one. */
  public long fenced() {
    return fenced;
  }

  /** Returns the number of compute nodes that were stopped while they recovered the pool. */
  public long recoveryStops() {
    return recoveryStops;
  }

  void threw(Throwable what, String where) {
    thrown++;
    injected.add(what.getClass().getSimpleName() + " " + what.getMessage() + " in " + where);
  }

  /** Returns the throwables injected in one run, with their threads. */
  public List<String> injected() {
    return Collections.unmodifiableList(injected);
  }

  /** Returns the number of memory nodes that restarted empty, or with older content. */
  public long amnesias() {
    return amnesias;
  }

  /** Returns the number of cuts of the network between a compute node and a memory node. */
  public long cuts() {
    return cuts;
  }

  /** Returns the number of jumps of wall clocks. */
  public long jumps() {
    return jumps;
  }

  /** Returns the number of throwables injected at lines of the engine. */
  public long thrown() {
    return thrown;
  }

  /**
   * Returns the number of compute nodes that recovered the pool and continued with it; these are no
   * faults.
   */
  public long takeovers() {
    return takeovers;
  }

  /** Returns all counts by kind; the last one counts no faults, see {@link #takeovers}. */
  public Map<String, Long> byKind() {
    Map<String, Long> kinds = new LinkedHashMap<>();
    kinds.put("stops", stops);
    kinds.put("node-stops", nodeStops);
    kinds.put("memory-node-stops", memoryNodeStops);
    kinds.put("pauses", pauses);
    kinds.put("delays", delays);
    kinds.put("losses", losses);
    kinds.put("fenced", fenced);
    kinds.put("recovery-stops", recoveryStops);
    kinds.put("thrown", thrown);
    kinds.put("clock-jumps", jumps);
    kinds.put("amnesias", amnesias);
    kinds.put("link-cuts", cuts);
    kinds.put(TAKEOVERS, takeovers);
    return kinds;
  }
}
