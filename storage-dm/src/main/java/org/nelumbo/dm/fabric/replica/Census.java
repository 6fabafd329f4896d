package org.nelumbo.dm.fabric.replica;

import java.lang.foreign.Arena;
import java.util.List;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.fabric.FabricException;
import org.nelumbo.dm.fabric.NodeFabric;
import org.nelumbo.dm.fabric.PoolOpenException;
import org.nelumbo.dm.layout.NodeHeaderLayout;

/** Which nodes can be reached, and what their headers say. */
final class Census {
  private final List<NodeFabric.Connector> connectors;
  private final NodeFabric[] connections;
  private final NodeHeader[] headers;
  private final String[] failures;

  private Census(List<NodeFabric.Connector> connectors) {
    this.connectors = connectors;
    int nodes = connectors.size();
    connections = new NodeFabric[nodes];
    headers = new NodeHeader[nodes];
    failures = new String[nodes];
  }

  /**
   * Connects to all nodes.
   *
   * @throws PoolOpenException if one refuses
   */
  static Census take(List<NodeFabric.Connector> connectors) {
    Census census = new Census(connectors);
    try {
      for (int node = 0; node < connectors.size(); node++) {
        census.visit(node);
      }
      return census;
    } catch (RuntimeException | Error e) {
      census.closeAll();
      throw e;
    }
  }

  private void visit(int node) {
    try {
      connections[node] = connectors.get(node).connect();
      try (Channel channel =
          connections[node].openChannel(Arena.ofAuto().allocate(NodeHeaderLayout.LENGTH, 64))) {
        headers[node] = NodeHeader.read(channel);
      }
    } catch (FabricException e) {
      failures[node] = e.getMessage();
      if (connections[node] != null) {
        connections[node].close();
        connections[node] = null;
      }
    }
  }

  int nodes() {
    return headers.length;
  }

  /** The connection, null if the node cannot be reached. */
  NodeFabric connection(int node) {
    return connections[node];
  }

  /** The header, null if the node cannot be reached. */
  NodeHeader header(int node) {
    return headers[node];
  }

  /** Why a node cannot be reached. */
  String failure(int node) {
    return failures[node];
  }

  String name(int node) {
    return connectors.get(node).name();
  }

  /** Whether a node has a header of a replicated pool. */
  boolean hasPool(int node) {
    return headers[node] != null && !headers[node].isEmpty();
  }

  /** A view of which these nodes are live. */
  View view(long number, Placement placement, long live) {
    NodeFabric[] some = connections.clone();
    for (int node = 0; node < some.length; node++) {
      some[node] = NodeBits.has(live, node) ? some[node] : null;
    }
    return new View(number, placement, some, new Filling[some.length]);
  }

  long[] incarnations() {
    long[] incarnations = new long[NodeHeaderLayout.NODES_MAX];
    for (int node = 0; node < headers.length; node++) {
      incarnations[node] = headers[node] == null ? 0 : headers[node].incarnation();
    }
    return incarnations;
  }

  void closeAll() {
    for (NodeFabric connection : connections) {
      if (connection != null) {
        connection.close();
      }
    }
  }
}
