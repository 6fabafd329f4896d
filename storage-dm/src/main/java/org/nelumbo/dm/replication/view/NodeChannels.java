package org.nelumbo.dm.replication.view;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;

/**
 * The channels of one user to all memory nodes, which share one staging buffer. A channel is opened
 * on first use, and again after the node has returned with a new connection. The failure of one
 * node is recorded (see {@link #failed}) and does not disturb the other nodes. Not thread-safe.
 */
public final class NodeChannels implements AutoCloseable {
  private final MemorySegment staging;
  private final Channel[] channels;
  private final NodeConnection[] connections;
  private final boolean[] posted;
  private final FabricException[] failures;
  private long failed;

  public NodeChannels(int nodes, MemorySegment staging) {
    this.staging = staging;
    channels = new Channel[nodes];
    connections = new NodeConnection[nodes];
    posted = new boolean[nodes];
    failures = new FabricException[nodes];
  }

  public MemorySegment staging() {
    return staging;
  }

  /** Clears the recorded failures, and discards verbs of a caller that never reached its flush. */
  public void begin() {
    discard();
    failed = 0;
  }

  /**
   * Discards all posted verbs: see {@link Channel#discard}. If even that fails, the connection to
   * the node is closed.
   */
  public void discard() {
    for (int node = 0; node < posted.length; node++) {
      if (posted[node]) {
        discard(node);
      }
    }
  }

  private void discard(int node) {
    boolean done = false;
    try {
      channels[node].discard();
      done = true;
    } finally {
      posted[node] = false;
      if (!done) {
        connections[node].close();
      }
    }
  }

  /**
   * Returns the channel to post to, over the connection that a view has to a node, or null if the
   * node has failed.
   */
  public Channel to(View view, int node) {
    if (hasFailed(node)) {
      return null;
    }
    NodeConnection connection = view.connection(node);
    if (connections[node] != connection) {
      open(node, connection);
    }
    if (channels[node] == null) {
      setFailed(node, failures[node]);
    } else {
      posted[node] = true;
    }
    return channels[node];
  }

  private void open(int node, NodeConnection connection) {
    if (channels[node] != null) {
      channels[node].close();
      channels[node] = null;
    }
    connections[node] = connection;
    try {
      channels[node] = connection.openChannel(staging);
    } catch (FabricException e) {
      setFailed(node, e);
    }
  }

  /** Records that a verb to a node could not be posted. */
  public void setFailed(int node, FabricException why) {
    failed |= 1L << node;
    failures[node] = why;
  }

  /** Returns the most recent failure of a node. */
  public FabricException failure(int node) {
    return failures[node];
  }

  public boolean hasFailed(int node) {
    return (failed >>> node & 1) != 0;
  }

  /** Returns the nodes that have failed since {@link #begin}, one bit per node. */
  public long failed() {
    return failed;
  }

  /** Returns the connection that was used last for a node. */
  public NodeConnection connection(int node) {
    return connections[node];
  }

  /**
   * Flushes all posted verbs in one round trip; returns false if a node has failed. On return, also
   * by an exception, no request is in flight.
   */
  public boolean flush() {
    boolean done = false;
    try {
      flushAll();
      done = true;
    } finally {
      if (!done) {
        discard();
      }
    }
    return failed == 0;
  }

  private void flushAll() {
    for (int node = 0; node < posted.length; node++) {
      if (posted[node] && !hasFailed(node)) {
        start(node);
      }
    }
    for (int node = 0; node < posted.length; node++) {
      if (posted[node] && hasFailed(node)) {
        discard(node);
      } else if (posted[node]) {
        complete(node);
        posted[node] = false;
      }
    }
  }

  private void start(int node) {
    try {
      channels[node].start();
    } catch (FabricException e) {
      setFailed(node, e);
    }
  }

  private void complete(int node) {
    try {
      channels[node].flush();
    } catch (FabricException e) {
      setFailed(node, e);
    }
  }

  @Override
  public void close() {
    for (Channel channel : channels) {
      if (channel != null) {
        channel.close();
      }
    }
  }
}
