package org.nelumbo.dm.replication.membership;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.view.NodeBits;
import org.nelumbo.dm.replication.view.NodeHeader;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;

/** Connects to all memory nodes of a pool and reads their headers. */
public final class NodeProbe {
  private final List<NodeConnection.Connector> connectors;
  private final NodeConnection[] connections;
  private final NodeHeader[] headers;
  private final RuntimeException[] failures;

  private NodeProbe(List<NodeConnection.Connector> connectors) {
    this.connectors = connectors;
    int nodes = connectors.size();
    connections = new NodeConnection[nodes];
    headers = new NodeHeader[nodes];
    failures = new RuntimeException[nodes];
  }

  /**
   * Connects to all nodes.
   *
   * @throws PoolOpenException if a node refuses
   */
  public static NodeProbe connectAll(List<NodeConnection.Connector> connectors) {
    NodeProbe nodeProbe = new NodeProbe(connectors);
    try {
      IntStream.range(0, connectors.size())
          .boxed()
          .sorted(Comparator.comparingInt(node -> connectors.get(node).precedence()))
          .forEach(nodeProbe::probe);
      return nodeProbe;
    } catch (RuntimeException | Error e) {
      nodeProbe.closeAll();
      throw e;
    }
  }

  /**
   * Creates a probe from earlier responses of nodes that are not connected to. An {@link
   * AttachQuorum} can evaluate it before an attach.
   *
   * @param headers headers, or null where a node has not responded
   * @param logIds ids of the pools whose logs the nodes keep, or 0
   * @param failures reasons why nodes have not responded
   */
  public static NodeProbe of(
      List<NodeConnection.Connector> connectors,
      NodeHeader[] headers,
      long[] nodeBytes,
      long[] logIds,
      RuntimeException[] failures) {
    NodeProbe nodeProbe = new NodeProbe(connectors);
    for (int node = 0; node < headers.length; node++) {
      nodeProbe.headers[node] = headers[node];
      nodeProbe.failures[node] = failures[node];
      nodeProbe.connections[node] =
          headers[node] == null ? null : new Replying(nodeBytes[node], logIds[node]);
    }
    return nodeProbe;
  }

  private record Replying(long nodeBytes, long logId) implements NodeConnection {
    @Override
    public Channel openChannel(MemorySegment staging) {
      throw new IllegalStateException("the node has only been queried");
    }

    @Override
    public boolean isRemote() {
      return true;
    }

    @Override
    public void close() {}
  }

  private void probe(int node) {
    try {
      connections[node] = connectors.get(node).connect();
      try (Channel channel =
          connections[node].openChannel(Arena.ofAuto().allocate(NodeHeaderLayout.LENGTH, 64))) {
        headers[node] = NodeHeader.read(channel);
      }
    } catch (FabricException e) {
      failures[node] = e;
      if (connections[node] != null) {
        connections[node].close();
        connections[node] = null;
      }
    }
  }

  int nodes() {
    return headers.length;
  }

  /** Returns the connection, or null if the node cannot be reached. */
  public NodeConnection connection(int node) {
    return connections[node];
  }

  /** Returns the header, or null if the node cannot be reached. */
  public NodeHeader header(int node) {
    return headers[node];
  }

  /** Returns the reason why a node cannot be reached, or null if it can. */
  public RuntimeException failure(int node) {
    return failures[node];
  }

  String name(int node) {
    return connectors.get(node).name();
  }

  /** Returns true if a node can be reached and is not empty. */
  boolean hasPool(int node) {
    return headers[node] != null && !headers[node].isEmpty();
  }

  /**
   * Returns the id of the pool whose log a node keeps, or 0 if it keeps none or cannot be reached.
   */
  long logId(int node) {
    return connections[node] == null ? 0 : connections[node].logId();
  }

  /** Returns a view in which the given nodes are live, one bit per node. */
  View view(long number, Placement placement, long live) {
    NodeConnection[] some = connections.clone();
    for (int node = 0; node < some.length; node++) {
      some[node] = NodeBits.has(live, node) ? some[node] : null;
    }
    return new View(number, placement, some, new ResyncProgress[some.length]);
  }

  public long[] incarnations() {
    long[] incarnations = new long[NodeHeaderLayout.NODES_MAX];
    for (int node = 0; node < headers.length; node++) {
      incarnations[node] = headers[node] == null ? 0 : headers[node].incarnation();
    }
    return incarnations;
  }

  /**
   * Closes the connections to nodes that are not part of a view, so that they may be part of a
   * later one.
   */
  public void abandonOthers(View view) {
    for (int node = 0; node < connections.length; node++) {
      if (connections[node] != null && view.connection(node) == null) {
        connections[node].abandon();
      }
    }
  }

  public void closeAll() {
    for (NodeConnection connection : connections) {
      if (connection != null) {
        connection.close();
      }
    }
  }
}
