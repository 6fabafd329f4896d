package org.nelumbo.dm.node;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.nelumbo.dm.pool.FabricCounters;

/**
 * Counters of a memory node since it started. Any thread may read, and sees each number as it was a
 * moment ago.
 */
public final class NodeCounters {
  /** Why a connection was closed by the memory node. */
  public enum Refusal {
    /** There were as many connections as there may be, or a newer one needed its slot. */
    LIMIT,
    /** It speaks another version of the protocol. */
    VERSION,
    /** It does not know the secret. */
    SECRET,
    /** Another compute node has the memory, or the epoch is over. */
    IN_USE,
    /** It said nothing when it had to, or spoke too slowly. */
    SILENT,
    /** It did not speak TLS where that is wanted, or did not trust this node. */
    TLS,
    /** It broke the protocol, or asked for what it must not. */
    PROTOCOL,
    /** The node had no thread or no heap for it. */
    RESOURCES
  }

  private final Supplier<Map<String, FabricCounters>> verbs;
  private final LongAdder accepted = new LongAdder();
  private final LongAdder frames = new LongAdder();
  private final LongAdder bytesReceived = new LongAdder();
  private final LongAdder bytesSent = new LongAdder();
  private final LongAdder acceptFailures = new LongAdder();
  private final LongAdder[] refused = new LongAdder[Refusal.values().length];

  NodeCounters(Supplier<Map<String, FabricCounters>> verbs) {
    this.verbs = verbs;
    for (int i = 0; i < refused.length; i++) {
      refused[i] = new LongAdder();
    }
  }

  /** Verbs by kind, and the bytes they read and wrote; its round trips are frames with a verb. */
  public FabricCounters verbs() {
    FabricCounters sum = new FabricCounters();
    verbs.get().values().forEach(sum::addAll);
    return sum;
  }

  /** Frames of verbs, those without a verb (which say that a compute node is alive) included. */
  public long frames() {
    return frames.sum();
  }

  /** Connections that were accepted, those that were refused later included. */
  public long accepted() {
    return accepted.sum();
  }

  /** How often connections could not be accepted, since descriptors or threads had run out, say. */
  public long acceptFailures() {
    return acceptFailures.sum();
  }

  /** Connections that were closed for that reason. */
  public long refused(Refusal why) {
    return refused[why.ordinal()].sum();
  }

  /** Bytes received over all connections, frames and all. */
  public long bytesReceived() {
    return bytesReceived.sum();
  }

  /** Bytes sent over all connections, frames and all. */
  public long bytesSent() {
    return bytesSent.sum();
  }

  void countAccepted() {
    accepted.increment();
  }

  void countAcceptFailure() {
    acceptFailures.increment();
  }

  void countRefused(Refusal why) {
    refused[why.ordinal()].increment();
  }

  void countFrame() {
    frames.increment();
  }

  void countReceived(int bytes) {
    bytesReceived.add(bytes);
  }

  void countSent(int bytes) {
    bytesSent.add(bytes);
  }
}
