package org.nelumbo.simulation.fabric;

import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;

/**
 * The fabric of one compute node: connections to each memory node, which its channels share in
 * turn. A broken connection stays broken, and all flushes through it fail; other connections are
 * not affected. Closing the attachment affects nothing else.
 */
final class SimAttachment implements Fabric {
  /** Number of connections, as in the TCP fabric. */
  private static final int CONNECTIONS = 2;

  private final SimFabric sim;
  private final long epoch;
  private final SimLink link;
  private final boolean[][] broken;
  private final boolean[] fenced;
  private boolean replaced;
  private boolean closed;
  private boolean cutOff;
  private boolean ended;

  /**
   * Creates an attachment.
   *
   * @param link network link to all of the memory nodes
   */
  SimAttachment(SimFabric sim, long epoch, SimLink link) {
    this.sim = sim;
    this.epoch = epoch;
    this.link = link;
    this.broken = new boolean[CONNECTIONS][sim.nodeCount()];
    this.fenced = new boolean[sim.nodeCount()];
  }

  SimFabric sim() {
    return sim;
  }

  /**
   * Returns the epoch of the attachment. Memory nodes serve the latest epoch they have received.
   */
  long epoch() {
    return epoch;
  }

  boolean isBroken(int channel, int node) {
    return broken[channel % CONNECTIONS][node];
  }

  void breakLink(int channel, int node) {
    broken[channel % CONNECTIONS][node] = true;
  }

  /** Breaks all connections to a node that has failed. */
  void breakLinks(int node) {
    for (boolean[] each : broken) {
      each[node] = true;
    }
  }

  /** Returns true if a memory node no longer executes verbs of this compute node. */
  boolean isFenced(int node) {
    return fenced[node];
  }

  /**
   * Returns true if a failed flush is to report that the memory node no longer serves its compute
   * node.
   */
  boolean isRevoked(int node) {
    return fenced[node] && !replaced;
  }

  void fence(int node) {
    fenced[node] = true;
  }

  /**
   * Marks the attachment as replaced by other connections of the compute node: its connections just
   * end.
   */
  void replace() {
    replaced = true;
  }

  boolean carriesRequests() {
    return link.carriesRequests();
  }

  /** Returns true if replies reach the compute node. */
  boolean carriesReplies() {
    return !cutOff && link.carriesReplies();
  }

  /** Cuts the compute node off from all replies; verbs in flight may still take effect. */
  void cutOff() {
    cutOff = true;
    closed = true;
  }

  /** Returns true if the compute node has not closed its connections itself. */
  boolean isConnected() {
    return !ended;
  }

  /** Closes the connections: verbs that have not reached a memory node yet take no effect. */
  @Override
  public void lose(Throwable why) {
    ended = true;
    for (int node = 0; node < sim.nodeCount(); node++) {
      breakLinks(node);
    }
  }

  @Override
  public Channel openChannel(int stagingBytes) {
    if (closed) {
      throw new FabricException("this process has released the pool", null);
    }
    return sim.newChannel(this, stagingBytes);
  }

  @Override
  public int nodeCount() {
    return sim.nodeCount();
  }

  @Override
  public long nodeBytes(int node) {
    return sim.nodeBytes(node);
  }

  @Override
  public boolean isRemote() {
    return sim.model().remote();
  }

  @Override
  public void close() {
    closed = true;
  }
}
