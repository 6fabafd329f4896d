package org.nelumbo.dm.fabric.tcp;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerListener;
import org.nelumbo.dm.peer.PeerNetwork;

/**
 * A message network between compute nodes. Messages go directly if compute nodes can reach each
 * other ({@link DirectLinks}), and otherwise through memory nodes, to the first three of which it
 * has connections. A message takes the path of the last message from its receiver. If the receiver
 * is absent there, or the connection is lost, the next message takes another path. Ends with the
 * tenancy. Thread-safe.
 */
public final class TcpPeerNetwork implements PeerNetwork {
  /** Number of memory nodes that forward messages: all compute nodes use the first ones. */
  static final int LINKS_MAX = 3;

  /** Maximum number of remembered paths; beyond it they are discovered again. */
  private static final int WAYS_MAX = 1024;

  private final PeerId self;
  private final List<MessageLink> links = new ArrayList<>();

  /** Index of the link that reaches a compute node, unless that is the first link. */
  private final Map<PeerId, Integer> ways = new ConcurrentHashMap<>();

  /** Held during calls of the listener, which are serialized. */
  private final ReentrantLock telling = new ReentrantLock();

  private PeerListener listener;

  /** Null if all messages go through memory nodes. */
  private final DirectLinks directs;

  private final class Way implements MessageLink.Sink {
    private final int link;

    Way(int link) {
      this.link = link;
    }

    @Override
    public void received(PeerId from, ByteBuffer message) {
      if (way(from) != link) {
        lead(from, link);
      }
      tell(told -> told.received(from, message));
      if (directs != null) {
        directs.heard(from);
      }
    }

    @Override
    public void offered(PeerId from, ByteBuffer offer) {
      if (directs != null) {
        directs.offered(from, offer);
      }
    }

    @Override
    public void ended(boolean isRevoked) {
      if (isRevoked && directs != null) {
        directs.end();
      }
    }

    @Override
    public void absent(PeerId peer) {
      lead(peer, link + 1);
      tell(told -> told.unreachable(peer));
    }
  }

  private final class Offers implements DirectLinks.Relay {
    @Override
    public boolean offer(PeerId to, ByteBuffer offer) {
      return sendThroughNodes(to, offer, true);
    }

    @Override
    public InetAddress localAddress() {
      for (MessageLink each : links) {
        InetAddress address = each.localAddress();
        if (address != null) {
          return address;
        }
      }
      return null;
    }
  }

  /**
   * Opens the network of a tenant, through the first three memory nodes.
   *
   * @param leaseNanos lease of a tenant
   */
  public static TcpPeerNetwork open(
      Environment environment,
      List<NodeAddress> nodes,
      TcpOptions options,
      long tenant,
      long leaseNanos,
      PeerId self) {
    long intervalNanos = Heartbeats.nanos(leaseNanos);
    return new TcpPeerNetwork(environment, nodes, options, tenant, intervalNanos, self);
  }

  private TcpPeerNetwork(
      Environment environment,
      List<NodeAddress> nodes,
      TcpOptions options,
      long tenant,
      long intervalNanos,
      PeerId self) {
    this.self = self;
    // with TLS only memory nodes have certificates, so direct connections cannot be encrypted
    boolean isDirect =
        options.security().tls() == null && options.peerPort() != DirectLinks.NO_PORT;
    this.directs =
        isDirect
            ? new DirectLinks(
                environment,
                self,
                options.security().secrets(),
                options.peerPort(),
                new Offers(),
                (from, message) -> tell(told -> told.received(from, message)))
            : null;
    for (int node = 0; node < nodes.size() && links.size() < LINKS_MAX; node++) {
      Handshake handshake = new Handshake(nodes.get(node), node, options).impatient();
      links.add(
          new MessageLink(
              environment,
              "nelumbo-messages-" + node,
              () -> handshake.peer(tenant, self),
              new Way(links.size()),
              intervalNanos));
    }
    try {
      links.forEach(MessageLink::start);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  @Override
  public PeerId self() {
    return self;
  }

  private int way(PeerId peer) {
    return ways.getOrDefault(peer, 0);
  }

  private void lead(PeerId peer, int link) {
    if (ways.size() > WAYS_MAX) {
      ways.clear();
    }
    ways.put(peer, link % links.size());
  }

  @Override
  public boolean send(PeerId to, ByteBuffer message) {
    if (message.remaining() > MESSAGE_BYTES_MAX) {
      throw new IllegalArgumentException("a message is too long bytes=" + message.remaining());
    }
    return directs != null && directs.send(to, message) || sendThroughNodes(to, message, false);
  }

  private boolean sendThroughNodes(PeerId to, ByteBuffer message, boolean isOffer) {
    int way = way(to);
    for (int i = 0; i < links.size(); i++) {
      MessageLink link = links.get((way + i) % links.size());
      if (isOffer ? link.offer(to, message) : link.send(to, message)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void listen(PeerListener newListener) {
    telling.lock();
    try {
      listener = newListener;
    } finally {
      telling.unlock();
    }
  }

  private void tell(Consumer<PeerListener> what) {
    telling.lock();
    try {
      if (listener != null) {
        what.accept(listener);
      }
    } finally {
      telling.unlock();
    }
  }

  /** Returns true if messages to that compute node go directly. */
  boolean isDirect(PeerId to) {
    return directs != null && directs.isConnected(to);
  }

  /** Returns the port at which others reach this compute node; -1 if there is none. */
  int directPort() {
    return directs == null ? DirectLinks.NO_PORT : directs.port();
  }

  /** Returns true if all connections to memory nodes are open. */
  boolean isConnected() {
    return links.stream().allMatch(MessageLink::isConnected);
  }

  /**
   * Closes the network. When this returns, the listener gets no more calls. The listener must not
   * call it.
   */
  @Override
  public void close() {
    if (directs != null) {
      directs.close();
    }
    links.forEach(MessageLink::close);
  }
}
