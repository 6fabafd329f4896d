package org.nelumbo.dm.fabric.tcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.NetworkTraffic;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * The links of a fabric to its memory nodes: several to each, shared by channels, and one to the
 * log of a durable node. Thread-safe.
 */
final class NodeLinks implements AutoCloseable {
  private static final long NANOS_A_MILLI = 1_000_000L;

  /** Response timeout of a log, because a disk may be slow. */
  private static final long DISK_NANOS = 30_000_000_000L;

  private final NodeLink[][] links;
  private final long[] bytes;
  private final long[] epochs;
  private final ReplyTimes[] replyTimes;
  private final TrafficMeter meter = new TrafficMeter();
  private final AtomicInteger nextTurn = new AtomicInteger();
  private TcpPoolLog log;
  private long logId;

  /** Opens the first connection to a memory node. */
  interface Entrance {
    Handshake.Attached enter(Handshake handshake, TcpTenancy tenancy);
  }

  private NodeLinks(int nodes, int connections) {
    this.links = new NodeLink[connections][nodes];
    this.bytes = new long[nodes];
    this.epochs = new long[nodes];
    this.replyTimes = new ReplyTimes[nodes];
  }

  /**
   * Opens the links.
   *
   * @param first number of the first node in messages
   * @param opened receives an action for each opened resource that closes it, even if this call
   *     fails
   * @throws IOException if a connection was lost
   * @throws PoolOpenException if a node cannot be reached, or is unsuitable
   */
  static NodeLinks open(
      Environment environment,
      List<NodeAddress> nodes,
      int first,
      TcpOptions options,
      TcpTenancy tenancy,
      Entrance entrance,
      List<Runnable> opened)
      throws IOException {
    NodeLinks all = new NodeLinks(nodes.size(), options.connections());
    for (int node = 0; node < nodes.size(); node++) {
      int number = node;
      Handshake handshake = new Handshake(nodes.get(node), first + node, options);
      Handshake.Attached attached = entrance.enter(handshake, tenancy);
      opened.add(attached::close);
      checkWay(attached, nodes.get(node), first + node, options);
      tenancy.entered(attached.leaseNanos());
      all.replyTimes[node] =
          new ReplyTimes(
              options.timeouts().shortestMillis() * NANOS_A_MILLI,
              options.timeouts().millis() * NANOS_A_MILLI,
              environment.nanoTime());
      if (attached.logId() != 0) {
        checkAlone(nodes, first + node);
        all.logId = attached.logId();
        all.log = all.openLog(environment, handshake, first + node, options, tenancy);
        opened.add(all.log::cut);
      }
      all.bytes[node] = attached.nodeBytes();
      all.epochs[node] = attached.epoch();
      for (int i = 0; i < options.connections(); i++) {
        Handshake.Attached one = i == 0 ? attached : handshake.join(tenancy.tenant());
        opened.add(one::close);
        NodeLink link =
            new NodeLink(
                environment,
                first + node,
                nodes.get(node).toString(),
                one,
                all.meter,
                all.replyTimes[node],
                () -> tenancy.isRevoked(number));
        opened.add(link::close);
        all.links[i][node] = link;
      }
    }
    return all;
  }

  /**
   * Checks that the pool has one node, because a log contains the rows of a whole pool in one
   * order.
   */
  private static void checkAlone(List<NodeAddress> nodes, int node) {
    if (nodes.size() > 1) {
      throw new PoolOpenException(
          "memory node "
              + node
              + " is durable (--durable), and a pool with one copy on a durable node can"
              + " have no other nodes: name only this node, use several copies (replicas=2"
              + " or more), or start the nodes without --durable");
    }
  }

  private TcpPoolLog openLog(
      Environment environment,
      Handshake handshake,
      int node,
      TcpOptions options,
      TcpTenancy tenancy)
      throws IOException {
    Handshake.Attached attached = handshake.log(tenancy.tenant());
    long patience = Math.max(options.timeouts().millis() * NANOS_A_MILLI, DISK_NANOS);
    ReplyTimes times = new ReplyTimes(patience, patience, environment.nanoTime());
    NodeLink link =
        new NodeLink(
            environment,
            node,
            handshake.name(),
            attached,
            meter,
            times,
            () -> tenancy.isRevoked(0));
    return new TcpPoolLog(link, tenancy::askLog);
  }

  private static void checkWay(
      Handshake.Attached attached, NodeAddress address, int node, TcpOptions options) {
    if (attached.isRdma() != (options.rdma() != null)) {
      throw new PoolOpenException(
          "memory node "
              + node
              + " at "
              + address
              + (attached.isRdma()
                  ? " offers its memory by RDMA only: write jdbc:nelumbo:rdma://HOST:PORT/NAME"
                  : " does not offer its memory by RDMA: start it with --rdma DEVICE, or write"
                      + " jdbc:nelumbo://HOST:PORT/NAME"));
    }
  }

  /** Returns all links except the link to the log. */
  List<NodeLink> all() {
    List<NodeLink> all = new ArrayList<>();
    for (NodeLink[] some : links) {
      all.addAll(Arrays.asList(some));
    }
    return all;
  }

  /** Returns the log of the durable node; null if there is none. */
  TcpPoolLog log() {
    return log;
  }

  /** Returns the id of the pool of that log; 0 if there is no log. */
  long logId() {
    return logId;
  }

  int nodes() {
    return bytes.length;
  }

  long bytes(int node) {
    return bytes[node];
  }

  /** Returns the epoch in which a node serves this fabric. */
  long epoch(int node) {
    return epochs[node];
  }

  ReplyTimes replyTimes(int node) {
    return replyTimes[node];
  }

  NetworkTraffic traffic() {
    return meter.traffic();
  }

  /** Opens a channel over one link to each node; the links are chosen round-robin. */
  TcpChannel openChannel(MemorySegment staging, Runnable onClose) {
    int turn = Math.floorMod(nextTurn.getAndIncrement(), links.length);
    return new TcpChannel(links[turn], bytes, staging, onClose);
  }

  /** Exchanges an empty batch with a node on all links, since one may have failed. */
  void exchangeNothing(int node) {
    for (NodeLink[] some : links) {
      exchangeNothing(some[node], new Request(MemorySegment.ofArray(new byte[Long.BYTES])));
    }
  }

  static void exchangeNothing(NodeLink link, Request request) {
    link.submit(request);
    link.await(request);
  }

  /** Closes the links, including those in use. */
  @Override
  public void close() {
    for (NodeLink[] some : links) {
      for (NodeLink link : some) {
        link.close();
      }
    }
    if (log != null) {
      log.cut();
    }
  }
}
