package org.nelumbo.sim.fabric;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.Fabric;
import org.nelumbo.dm.fabric.PoolAddress;
import org.nelumbo.sim.world.SimRandom;
import org.nelumbo.sim.world.SimTask;
import org.nelumbo.sim.world.SimWorld;

/**
 * The memory nodes of a world and the network to them. Compute nodes attach to it, see {@link
 * #attach}; its memory goes back with {@link #release}.
 */
public final class SimFabric {
  private final SimWorld world;
  private final FabricModel model;
  private final SimMemory memory;
  private final SimRandom random;
  private final MemoryNode[] nodes;
  private final List<SimChannel> channels = new ArrayList<>();
  private final InFlight inFlight;
  private FaultPoints faults = FaultPoints.NONE;
  private int lastChannel;
  private long verbs;
  private long atomics;
  private long bytes;
  private long flushes;

  public SimFabric(SimWorld world, FabricModel model, int nodeCount, long nodeBytes) {
    this(world, model, nodeCount, nodeBytes, new SimMemory());
  }

  /** With memory that earlier worlds on this thread have used. */
  public SimFabric(
      SimWorld world, FabricModel model, int nodeCount, long nodeBytes, SimMemory memory) {
    this.world = world;
    this.model = model;
    this.memory = memory;
    this.random = world.random("fabric");
    this.nodes = new MemoryNode[nodeCount];
    for (int i = 0; i < nodeCount; i++) {
      nodes[i] = new MemoryNode(i, nodeBytes, memory);
    }
    this.inFlight = new InFlight(this);
  }

  public SimWorld world() {
    return world;
  }

  public FabricModel model() {
    return model;
  }

  SimRandom random() {
    return random;
  }

  int nodeCount() {
    return nodes.length;
  }

  List<SimChannel> channels() {
    return channels;
  }

  FaultPoints faults() {
    return faults;
  }

  /** Puts faults in the way of verbs. */
  public void setFaults(FaultPoints points) {
    faults = points;
  }

  /** A compute node's fabric; closing it closes nothing but itself. */
  public Fabric attach() {
    return new Attachment();
  }

  /** Stops a memory node: its verbs have no effect any more, and their flushes fail. */
  public void stopNode(int node) {
    world.trace().fault(world.now(), -1, "mn" + node, "stop");
    nodes[node].stop();
  }

  /**
   * Stops a coordinator. Of its verbs on the way a seeded number to each node still lands, in
   * order, some of them late.
   */
  public void stop(SimTask task) {
    world.stop(task);
    inFlight.scatter(task);
  }

  /** Stops a coordinator; none of its verbs on the way lands any more. */
  public void stopSharp(SimTask task) {
    world.stop(task);
    inFlight.lose(task);
  }

  /** The node of an address range. */
  MemoryNode locate(long address, int length) {
    int node = (int) (address >>> PoolAddress.OFFSET_BITS);
    long offset = PoolAddress.offset(address);
    if (address < 0
        || node >= nodes.length
        || length < 0
        || offset + length > nodes[node].bytes()) {
      throw new IllegalArgumentException(
          "outside the pool address="
              + PoolAddress.toString(address)
              + " length="
              + length
              + " nodes="
              + nodes.length
              + " nodeBytes="
              + nodes[0].bytes());
    }
    return nodes[node];
  }

  void count(int kind, int length) {
    verbs++;
    bytes += length;
    if (kind >= SimVerb.CAS) {
      atomics++;
    }
  }

  void countFlush() {
    flushes++;
  }

  /** Verbs posted so far. */
  public long verbs() {
    return verbs;
  }

  /** CAS and FAA among them. */
  public long atomics() {
    return atomics;
  }

  /** Bytes moved. */
  public long bytes() {
    return bytes;
  }

  /** Flushes that waited for verbs. */
  public long flushes() {
    return flushes;
  }

  void closed(SimChannel channel) {
    channels.remove(channel);
    memory.give(channel.staging());
  }

  /** Gives back all memory; the world has been closed. */
  public void release() {
    for (SimChannel channel : channels) {
      memory.give(channel.staging());
    }
    channels.clear();
    for (MemoryNode node : nodes) {
      node.release();
    }
  }

  /** The fabric as a compute node has it. */
  private final class Attachment implements Fabric {
    private boolean closed;

    @Override
    public Channel openChannel(int stagingBytes) {
      if (closed) {
        throw new IllegalStateException("the fabric is closed");
      }
      SimChannel channel =
          new SimChannel(
              SimFabric.this, lastChannel++, memory.takeStaging(stagingBytes + 7 & -Long.BYTES));
      channels.add(channel);
      return channel;
    }

    @Override
    public int nodeCount() {
      return nodes.length;
    }

    @Override
    public long nodeBytes(int node) {
      if (node < 0 || node >= nodes.length) {
        throw new IllegalArgumentException("no such memory node node=" + node);
      }
      return nodes[node].bytes();
    }

    @Override
    public boolean isRemote() {
      return model.remote();
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
