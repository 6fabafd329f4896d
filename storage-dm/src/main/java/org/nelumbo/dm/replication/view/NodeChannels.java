package org.nelumbo.dm.replication.view;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;

/**
 * One user's channels to the memory nodes, all on one staging buffer. They are opened when they are
 * first used, and again after the node has come back. A failure of one node is noted and disturbs
 * no other; {@link #failed} tells. Not thread-safe.
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

  /** Forgets failures, and what was posted by somebody who never came to the flush. */
  public void begin() {
    discard();
    failed = 0;
  }

  /**
   * Gives up what was posted: see {@link Channel#discard}. If not even that can be done, the node
   * is cut off.
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

  /** The channel to post to, over a node's connection of that view; null if the node has failed. */
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

  /** A verb could not be posted. */
  public void setFailed(int node, FabricException why) {
    failed |= 1L << node;
    failures[node] = why;
  }

  /** Why a node has failed, the last time. */
  public FabricException failure(int node) {
    return failures[node];
  }

  public boolean hasFailed(int node) {
    return (failed >>> node & 1) != 0;
  }

  /** The nodes that have failed since {@link #begin}, as bits. */
  public long failed() {
    return failed;
  }

  /** The connection that was used last. */
  public NodeConnection connection(int node) {
    return connections[node];
  }

  /**
   * Flushes all that was posted, in one round trip; returns false if a node has failed. However it
   * ends, nothing is on its way any more.
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
