package org.nelumbo.dm.node;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.nelumbo.dm.pool.FabricCounters;

/**
 * Counters of a memory node since its start. Any thread may read them; the values are slightly
 * stale.
 */
public final class NodeCounters {
  /** Reasons for which the memory node closes a connection. */
  public enum Refusal {
    /** The maximum number of connections is reached, or a newer one needed the slot. */
    LIMIT,
    /** The peer uses another version of the protocol. */
    VERSION,
    /** The peer does not know the secret. */
    SECRET,
    /** Another compute node owns the memory, or the epoch has ended. */
    IN_USE,
    /** The peer was silent when it had to send, or too slow. */
    SILENT,
    /** The peer did not use TLS although the node requires it, or did not trust this node. */
    TLS,
    /** The peer violated the protocol, or sent a request that it must not send. */
    PROTOCOL,
    /** The node had no thread or no heap for the connection. */
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

  /**
   * Returns verbs by kind, and the bytes they read and wrote; round trips are frames with a verb.
   */
  public FabricCounters verbs() {
    FabricCounters sum = new FabricCounters();
    verbs.get().values().forEach(sum::addAll);
    return sum;
  }

  /** Returns the number of frames of verbs, including heartbeats, which contain no verb. */
  public long frames() {
    return frames.sum();
  }

  /** Returns the number of accepted connections, including those that were refused later. */
  public long accepted() {
    return accepted.sum();
  }

  /**
   * Returns the number of failures to accept a connection, for example for lack of descriptors or
   * threads.
   */
  public long acceptFailures() {
    return acceptFailures.sum();
  }

  /** Returns the number of connections that were closed for a reason. */
  public long refused(Refusal why) {
    return refused[why.ordinal()].sum();
  }

  /** Returns the bytes received over all connections, including frame headers. */
  public long bytesReceived() {
    return bytesReceived.sum();
  }

  /** Returns the bytes sent over all connections, including frame headers. */
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
