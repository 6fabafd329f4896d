package org.nelumbo.simulation.fabric;

import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;

/**
 * The fabric as one compute node has it: connections to each memory node, which its channels share
 * in turn. A connection that breaks stays broken, and so fail all flushes through it, but not those
 * through others. Closing it closes nothing but itself.
 */
final class SimAttachment implements Fabric {
  /** As many as the TCP fabric has. */
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
   * An attachment.
   *
   * @param link the way to all of the memory nodes
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

  /** Memory nodes serve the latest epoch that they have heard of. */
  long epoch() {
    return epoch;
  }

  boolean isBroken(int channel, int node) {
    return broken[channel % CONNECTIONS][node];
  }

  void breakLink(int channel, int node) {
    broken[channel % CONNECTIONS][node] = true;
  }

  /** The node is gone, and with it the connections to it. */
  void breakLinks(int node) {
    for (boolean[] each : broken) {
      each[node] = true;
    }
  }

  /** Whether a memory node executes nothing of this compute node any more. */
  boolean isFenced(int node) {
    return fenced[node];
  }

  /** Whether a flush that fails is told that the memory node serves its compute node no more. */
  boolean isRevoked(int node) {
    return fenced[node] && !replaced;
  }

  void fence(int node) {
    fenced[node] = true;
  }

  /** The compute node goes on with other connections: these just end. */
  void replace() {
    replaced = true;
  }

  boolean carriesRequests() {
    return link.carriesRequests();
  }

  /** Whether the compute node hears of what has taken effect. */
  boolean carriesAnswers() {
    return !cutOff && link.carriesAnswers();
  }

  /** The compute node hears nothing any more; what is on its way may still take effect. */
  void cutOff() {
    cutOff = true;
    closed = true;
  }

  /** Whether the compute node has not ended its connections itself. */
  boolean isConnected() {
    return !ended;
  }

  /** Its connections end: what has not come to a memory node by now takes no effect any more. */
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
      throw new FabricException("this process has let go of the pool", null);
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
