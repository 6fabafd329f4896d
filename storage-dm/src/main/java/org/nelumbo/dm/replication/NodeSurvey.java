package org.nelumbo.dm.replication;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.NodeReply;
import org.nelumbo.dm.fabric.tcp.TcpFabric;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolExpectation;
import org.nelumbo.dm.pool.PoolLoadingException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.replication.membership.AttachQuorum;
import org.nelumbo.dm.replication.membership.NodeProbe;
import org.nelumbo.dm.replication.membership.ViewAgreement;
import org.nelumbo.dm.replication.membership.WantedPool;
import org.nelumbo.dm.replication.view.NodeHeader;
import org.nelumbo.dm.replication.view.ViewRecord;
import org.nelumbo.dm.superblock.PoolName;

/**
 * A survey of the memory nodes of a pool before an attach. All nodes are queried concurrently, so
 * that a hanging node costs its timeout only once. A query fences no compute node. So an attach
 * that would be refused fails here, and does not take the pool from a compute node that is paused.
 */
final class NodeSurvey {
  /** Maximum silence of a live owner, which sends a frame at least every two seconds. */
  private static final long ALIVE_NANOS = TimeUnit.MILLISECONDS.toNanos(2_500);

  private static final long SHARING_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Environment environment;
  private final List<NodeAddress> nodes;
  private final NodeReply[] replies;
  private final PoolOpenException[] failures;

  private NodeSurvey(Environment environment, List<NodeAddress> nodes) {
    this.environment = environment;
    this.nodes = nodes;
    this.replies = new NodeReply[nodes.size()];
    this.failures = new PoolOpenException[nodes.size()];
  }

  /**
   * Queries all nodes. A node that is still loading counts as unreachable if more than half of the
   * nodes respond.
   *
   * @throws org.nelumbo.dm.pool.PoolLoadingException if too few nodes have finished loading
   * @throws PoolOpenException if a node refuses to respond
   */
  static NodeSurvey take(Environment environment, List<NodeAddress> nodes, TcpOptions options) {
    NodeSurvey census = new NodeSurvey(environment, nodes);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      int node = i;
      threads.add(environment.thread("nelumbo-census", () -> census.ask(node, options)));
    }
    threads.forEach(Thread::start);
    threads.forEach(NodeSurvey::join);
    boolean areMostThere = 2 * census.answered() > nodes.size();
    for (PoolOpenException failure : census.failures) {
      if (failure != null
          && !(failure.getCause() instanceof IOException)
          && !(areMostThere && failure instanceof PoolLoadingException)) {
        throw failure;
      }
    }
    return census;
  }

  private int answered() {
    return (int) Arrays.stream(replies).filter(Objects::nonNull).count();
  }

  private void ask(int node, TcpOptions options) {
    try {
      replies[node] = TcpFabric.header(nodes.get(node), node, options);
    } catch (PoolOpenException e) {
      failures[node] = e;
    } catch (RuntimeException e) {
      failures[node] = new PoolOpenException("cannot query memory node " + node + ": " + e, e);
    }
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private NodeHeader header(int node) {
    if (replies[node] == null) {
      return null;
    }
    long[] page = new long[NodeHeader.BYTES / Long.BYTES];
    MemorySegment copy = MemorySegment.ofArray(page);
    byte[] header = replies[node].header();
    MemorySegment.copy(
        header, 0, copy, ValueLayout.JAVA_BYTE, 0, (int) Math.min(copy.byteSize(), header.length));
    return NodeHeader.of(copy);
  }

  /** Returns the number of copies of the pool, or 0 if no node has a pool. */
  int copies() {
    int found = 0;
    for (int node = 0; node < replies.length; node++) {
      NodeHeader header = header(node);
      if (header != null && header.magic() == SuperblockLayout.MAGIC) {
        found = Math.max(found, 1);
      } else if (header != null && header.isReplicated() && header.view() != null) {
        found = Math.max(found, header.copies());
      }
    }
    return found;
  }

  /**
   * Returns the time that other compute nodes are given to admit this one. An exclusive owner may
   * have to recover the pool first, and it may be silent for a lease before it is known to have
   * failed.
   */
  long patienceNanos() {
    long lease = 0;
    for (NodeReply reply : replies) {
      lease = Math.max(lease, reply == null ? 0 : reply.leaseNanos());
    }
    return SHARING_NANOS + lease;
  }

  /**
   * Refuses a pool that another compute node is loading from the log of a memory node.
   *
   * @param owner name of that compute node
   * @throws PoolLoadingException if the pool is being loaded; the message has the progress
   */
  void checkLoaded(String owner) {
    for (int node = 0; node < replies.length; node++) {
      if (replies[node] != null && !replies[node].loading().isEmpty()) {
        throw new PoolLoadingException(
            "the pool is being loaded from the log of memory node "
                + node
                + " at "
                + nodes.get(node)
                + ", by "
                + owner
                + ": "
                + replies[node].loading());
      }
    }
  }

  /** Returns the live memory nodes of the latest view in the headers, one bit per node. */
  long live() {
    ViewRecord latest = null;
    for (int node = 0; node < replies.length; node++) {
      ViewRecord each = header(node) == null ? null : header(node).view();
      latest = each != null && (latest == null || each.number() > latest.number()) ? each : latest;
    }
    return latest == null ? 0 : latest.live();
  }

  /** Refuses a complete pool that has another name or id than required, or must not exist. */
  void checkIdentity(String wanted, PoolExpectation expectation) {
    for (int node = 0; node < replies.length; node++) {
      if (replies[node] != null && !replies[node].poolName().isEmpty()) {
        PoolName.check(replies[node].poolName(), wanted);
        expectation.checkFound(header(node).poolId(), "memory nodes " + nodes);
      }
    }
  }

  /** Checks a pool with one copy, which needs all of its nodes. */
  void checkSingle(PoolExpectation expectation) {
    for (PoolOpenException failure : failures) {
      if (failure != null) {
        throw failure;
      }
    }
    if (copies() == 0) {
      expectation.checkAbsent("memory nodes " + nodes);
    }
  }

  /**
   * Checks that an attach to a pool with copies would be admitted, as far as this can be
   * determined.
   */
  void checkReplicated(
      List<NodeConnection.Connector> connectors,
      WantedPool wanted,
      ViewAgreement.Options agreement) {
    NodeHeader[] headers = new NodeHeader[replies.length];
    long[] bytes = new long[replies.length];
    long[] logIds = new long[replies.length];
    for (int node = 0; node < replies.length; node++) {
      headers[node] = header(node);
      bytes[node] = replies[node] == null ? 0 : replies[node].nodeBytes();
      logIds[node] = replies[node] == null ? 0 : replies[node].logId();
    }
    NodeProbe probe = NodeProbe.of(connectors, headers, bytes, logIds, failures);
    AttachQuorum quorum = new AttachQuorum(probe, wanted);
    List<String> addresses = nodes.stream().map(NodeAddress::toString).toList();
    ViewAgreement asking = new ViewAgreement(environment, agreement, addresses);
    if (quorum.isNew(asking)) {
      wanted.expectation().checkAbsent("memory nodes " + nodes);
    } else {
      asking.inquire();
      quorum.learn(asking);
      quorum.nextView();
    }
  }

  /**
   * Returns a connector to a node that uses the result of this survey. The first attempt to connect
   * to a node that has not responded fails at once. A node whose owner is alive is connected to
   * first, since it will refuse.
   */
  NodeConnection.Connector informed(int node, NodeConnection.Connector connector) {
    long silentNanos = replies[node] == null ? -1 : replies[node].silentNanos();
    boolean isInUse = silentNanos >= 0 && silentNanos < ALIVE_NANOS;
    PoolOpenException failure = failures[node];
    AtomicBoolean isFirst = new AtomicBoolean(true);
    return new NodeConnection.Connector() {
      @Override
      public NodeConnection connect() {
        if (isFirst.getAndSet(false) && failure != null) {
          throw new FabricException(node, failure.getMessage(), failure);
        }
        return connector.connect();
      }

      @Override
      public NodeConnection rejoin() {
        return connector.rejoin();
      }

      @Override
      public int precedence() {
        return isInUse ? 0 : 1;
      }

      @Override
      public String name() {
        return connector.name();
      }

      @Override
      public String address() {
        return connector.address();
      }
    };
  }
}
