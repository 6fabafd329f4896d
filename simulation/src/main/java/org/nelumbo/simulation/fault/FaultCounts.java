package org.nelumbo.simulation.fault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The number of faults that were injected, by kind. */
public final class FaultCounts {
  /** The kind that is no fault. */
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

  /** All of them by kind; the last is no fault, see {@link #takeovers}. */
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
