package org.nelumbo.simulation.replication;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.simulation.fabric.FabricModel;
import org.nelumbo.simulation.fabric.SimFabric;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * Memory nodes of a world that stop and return, empty or with their memory: a simulated fabric for
 * each life of each node.
 */
final class SimReplicas {
  private final SimWorld world;
  private final FabricModel model;
  private final long nodeBytes;
  private final SimMemory memory;
  private final SimFabric[] lives;
  private final boolean[] stopped;
  private final boolean[] connected;

  /** Attachments to this life of the node. */
  private final long[] attached;

  private final LaggingNode[] lags;
  private final List<SimFabric> all = new ArrayList<>();

  SimReplicas(SimWorld world, FabricModel model, int nodes, long nodeBytes, SimMemory memory) {
    this.world = world;
    this.model = model;
    this.nodeBytes = nodeBytes;
    this.memory = memory;
    this.lives = new SimFabric[nodes];
    this.stopped = new boolean[nodes];
    this.connected = new boolean[nodes];
    this.attached = new long[nodes];
    this.lags = new LaggingNode[nodes];
    for (int node = 0; node < nodes; node++) {
      lags[node] = new LaggingNode(world, world.random("lag of mn" + node));
      begin(node);
    }
  }

  private void begin(int node) {
    String name = "mn" + node + " life " + all.size();
    lives[node] = new SimFabric(world, model, 1, nodeBytes, memory, name);
    lives[node].setFaults(lags[node]);
    stopped[node] = false;
    connected[node] = false;
    attached[node] = 0;
    all.add(lives[node]);
    try (Channel channel = openChannel(node, Long.BYTES)) {
      channel.writeLong(PoolAddress.of(0, NodeHeaderLayout.INCARNATION_OFFSET), all.size());
      channel.flush();
    }
  }

  boolean isStopped(int node) {
    return stopped[node];
  }

  /** Whether a compute node has connected to this life of the node, and it goes on. */
  boolean isSettled(int node) {
    return !stopped[node] && connected[node];
  }

  /** Lives of all nodes so far. */
  int lives() {
    return all.size();
  }

  /** A channel to a node's memory, past the pool. */
  Channel openChannel(int node, int stagingBytes) {
    return lives[node].attach().openChannel(stagingBytes);
  }

  /** The node is gone, with its memory. */
  void stop(int node) {
    stopped[node] = true;
    lives[node].stopNode(0);
  }

  /** It is back, with empty memory. */
  void restart(int node) {
    begin(node);
  }

  /** It can be reached again, with the memory it had. */
  void comeBack(int node) {
    stopped[node] = false;
    connected[node] = false;
    lives[node].restartNode(0);
  }

  /** Stops a thread; some of its verbs on the way still land. */
  void stop(SimTask task) {
    all.forEach(life -> life.stop(task));
  }

  void release() {
    all.forEach(SimFabric::release);
  }

  List<NodeConnection.Connector> connectors() {
    return IntStream.range(0, lives.length).mapToObj(this::connector).toList();
  }

  private NodeConnection.Connector connector(int node) {
    return new NodeConnection.Connector() {
      @Override
      public NodeConnection connect() {
        Fabric fabric = lives[node].takeOver();
        connected[node] = true;
        return new Connection(node, fabric, ++attached[node], new boolean[1]);
      }

      @Override
      public String name() {
        return "mn" + node;
      }
    };
  }

  /** A connection to one life of a node. */
  private record Connection(int node, Fabric fabric, long epoch, boolean[] cut)
      implements NodeConnection {
    @Override
    public Channel openChannel(MemorySegment staging) {
      if (cut[0]) {
        throw new FabricException(node, "the connection was cut", null);
      }
      return new StagedChannel(fabric.openChannel(Math.toIntExact(staging.byteSize())), staging);
    }

    @Override
    public long nodeBytes() {
      return fabric.nodeBytes(0);
    }

    @Override
    public boolean isRemote() {
      return fabric.isRemote();
    }

    @Override
    public void close() {
      cut[0] = true;
    }
  }
}
