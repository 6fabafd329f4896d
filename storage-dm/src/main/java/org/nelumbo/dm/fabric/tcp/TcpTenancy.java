package org.nelumbo.dm.fabric.tcp;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.PoolInUseException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.pool.PoolTenant;
import org.nelumbo.dm.pool.SharedPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tenancy of a compute node at memory nodes. It sends requests about tenants, over one
 * connection to each node, which is opened at the first request, and again after it was lost.
 */
final class TcpTenancy implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TcpTenancy.class);

  private final int first;
  private final List<NodeAddress> nodes;
  private final TcpOptions options;
  private final long tenant;
  private final Link[] links;
  private volatile long leaseNanos = Long.MAX_VALUE;

  /**
   * True if the nodes may serve other compute nodes. Then this compute node reports that it leaves,
   * and queries the reason when its connection is closed.
   */
  private volatile boolean isShared;

  private volatile boolean isClosed;
  private volatile boolean isStaying;

  /**
   * Creates a tenancy, which begins when a memory node is attached to, or entered.
   *
   * @param first number of the first memory node in messages
   */
  TcpTenancy(Environment environment, List<NodeAddress> nodes, int first, TcpOptions options) {
    this.nodes = List.copyOf(nodes);
    this.first = first;
    this.options = options;
    this.tenant = options.incarnation() == 0 ? drawn(environment) : options.incarnation();
    this.links = new Link[nodes.size()];
    for (int node = 0; node < links.length; node++) {
      links[node] = new Link(node);
    }
  }

  private static long drawn(Environment environment) {
    long id = environment.randomLong();
    return id == 0 ? drawn(environment) : id;
  }

  /** A connection to one memory node; one request at a time. */
  private final class Link {
    private final int node;
    private final ReentrantLock lock = new ReentrantLock();

    /** Closed by the thread that closes the tenancy, changed under the lock. */
    private volatile Handshake.Attached attached;

    private long sequence;

    Link(int node) {
      this.node = node;
    }

    ByteBuffer ask(byte type, long argument) {
      lock.lock();
      try {
        if (attached != null) {
          try {
            return exchange(type, argument);
          } catch (IOException e) {
            LOG.debug("repeating the request to memory node {}: {}", name(), e.toString());
            drop();
          }
        }
        attached = joined();
        if (isClosed) {
          throw new IOException("the fabric was closed");
        }
        return exchange(type, argument);
      } catch (IOException e) {
        drop();
        boolean revoked = TcpTenancy.this.isRevoked(node);
        throw failed("memory node " + name() + " does not respond: " + e, e, revoked);
      } finally {
        lock.unlock();
      }
    }

    private Handshake.Attached joined() {
      try {
        return handshake().join(tenant);
      } catch (RevokedException e) {
        throw failed(e.getMessage(), e, true);
      } catch (PoolOpenException e) {
        // the node may have fenced this tenant between the request and its response
        throw failed(e.getMessage(), e, TcpTenancy.this.isRevoked(node));
      }
    }

    private Handshake handshake() {
      return new Handshake(nodes.get(node), first + node, options);
    }

    private String name() {
      return first + node + " at " + nodes.get(node);
    }

    private FabricException failed(String message, Exception why, boolean revoked) {
      return new FabricException(first + node, message, why, revoked);
    }

    private ByteBuffer exchange(byte type, long argument) throws IOException {
      assert lock.isHeldByCurrentThread();
      ByteBuffer frame = Wire.buffer(Wire.HEADER_LENGTH + Long.BYTES);
      Wire.begin(frame, type);
      frame.putLong(argument);
      ByteBuffer reply = attached.exchange(frame, ++sequence, Wire.FRAME_LENGTH_MAX);
      if (reply.get(Wire.TYPE_OFFSET) == Wire.DECLINED) {
        throw declined(reply);
      }
      return reply;
    }

    private RuntimeException declined(ByteBuffer reply) {
      PoolOpenException why = handshake().refusalIn(reply);
      return why instanceof RevokedException ? failed(why.getMessage(), why, true) : why;
    }

    private void drop() {
      assert lock.isHeldByCurrentThread();
      if (attached != null) {
        attached.close();
        attached = null;
      }
    }

    void leave() {
      lock.lock();
      try {
        if (attached == null) {
          attached = handshake().impatient().join(tenant);
        }
        attached.wire().setSoTimeout(Handshake.SHORT_MILLIS);
        exchange(Wire.LEAVE, tenant);
      } catch (IOException | RuntimeException e) {
        LOG.debug(
            "disconnecting from memory node {} without a leave request: {}", name(), e.toString());
      } finally {
        drop();
        lock.unlock();
      }
    }

    /** Closes without waiting; a pending request fails. */
    void close() {
      Handshake.Attached now = attached;
      if (now != null) {
        now.close();
      }
    }
  }

  /** Records that a memory node serves this tenant, with that lease. */
  void entered(long nodeLeaseNanos) {
    leaseNanos = Math.min(leaseNanos, nodeLeaseNanos);
  }

  /**
   * Marks the memory nodes as shared before this tenant enters: a node may admit it although its
   * response is lost.
   */
  void entersBesideOthers() {
    isShared = true;
  }

  /** Returns true if a memory node reports that it has fenced this tenant. */
  boolean isRevoked(int node) {
    return isShared && !isClosed && links[node].handshake().isFenced(tenant);
  }

  long tenant() {
    return tenant;
  }

  /** See {@link SharedPool#leaseNanos}. */
  long leaseNanos() {
    return leaseNanos;
  }

  boolean isShared() {
    return isShared;
  }

  /** See {@link SharedPool#share}. */
  void share() {
    isShared = true;
    askAll(Wire.SHARE, 0);
  }

  /**
   * See {@link SharedPool#ownAlone}. The nodes receive the request in the order in which others
   * enter them, so no joining compute node is missed.
   */
  void ownAlone() {
    int asked = 0;
    try {
      for (; asked < links.length; asked++) {
        links[asked].ask(Wire.OWN_ALONE, 0);
      }
      isShared = false;
    } catch (PoolInUseException e) {
      for (int node = 0; node < asked; node++) {
        links[node].ask(Wire.SHARE, 0);
      }
      throw e;
    }
  }

  /**
   * Sends a request about the log to the first node; returns the number in the response, or 0 if it
   * contains none.
   */
  long askLog(byte type, long argument) {
    ByteBuffer reply = links[0].ask(type, argument);
    boolean hasNumber = reply.capacity() >= Wire.HEADER_LENGTH + Long.BYTES;
    return hasNumber ? reply.getLong(Wire.HEADER_LENGTH) : 0;
  }

  /** See {@link SharedPool#fence}. */
  void fence(long other) {
    askAll(Wire.FENCE, other);
  }

  /** See {@link SharedPool#expel}. */
  void expel(long other) {
    askAll(Wire.EXPEL, other);
  }

  private void askAll(byte type, long argument) {
    RuntimeException failure = null;
    for (Link link : links) {
      try {
        link.ask(type, argument);
      } catch (RuntimeException e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private static final class Said {
    private String name = "";
    private long silentNanos;
    private boolean isConnected = true;
  }

  /** See {@link SharedPool#tenants}. */
  List<PoolTenant> tenants() {
    Map<Long, Said> all = new LinkedHashMap<>();
    for (Link link : links) {
      ByteBuffer reply = link.ask(Wire.TENANTS, 0).position(Wire.HEADER_LENGTH);
      try {
        for (int left = reply.getInt(); left > 0; left--) {
          Said said = all.computeIfAbsent(reply.getLong(), _ -> new Said());
          said.silentNanos = Math.max(said.silentNanos, reply.getLong());
          said.isConnected &= reply.getInt() > 0;
          said.name = Wire.getText(reply);
        }
      } catch (BufferUnderflowException | IllegalArgumentException e) {
        throw link.failed("memory node " + link.name() + " does not speak the protocol", e, false);
      }
    }
    List<PoolTenant> tenants = new ArrayList<>();
    all.forEach(
        (id, said) ->
            tenants.add(new PoolTenant(id, said.name, said.silentNanos, said.isConnected)));
    return tenants;
  }

  /** Sets whether the tenancy continues after the connections end; then the nodes are not left. */
  void setStaying(boolean value) {
    isStaying = value;
  }

  /** Leaves the nodes if they may serve other compute nodes. */
  void leave() {
    if (isShared && !isStaying) {
      for (Link link : links) {
        link.leave();
      }
    }
  }

  @Override
  public void close() {
    isClosed = true;
    for (Link link : links) {
      link.close();
    }
  }
}
