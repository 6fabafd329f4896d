package org.nelumbo.dm.fabric.tcp;

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
 * Messages between compute nodes, which memory nodes pass on: a compute node listens at no port. It
 * has connections to the first three memory nodes. A message takes the way that the last one from
 * that compute node came; where that compute node is absent, or the connection is lost, the next
 * takes another. Ends with the tenancy. Thread-safe.
 */
public final class TcpPeerNetwork implements PeerNetwork {
  /** Memory nodes that pass messages on: all compute nodes take the first ones. */
  static final int LINKS_MAX = 3;

  /** Ways that are remembered; after that they are found again. */
  private static final int WAYS_MAX = 1024;

  private final PeerId self;
  private final List<MessageLink> links = new ArrayList<>();

  /** For each compute node, the link that leads to it, unless that is the first. */
  private final Map<PeerId, Integer> ways = new ConcurrentHashMap<>();

  /** Held while the listener is told something: it hears of one thing at a time. */
  private final ReentrantLock telling = new ReentrantLock();

  private PeerListener listener;

  /** One way to the others. */
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
    }

    @Override
    public void absent(PeerId peer) {
      lead(peer, link + 1);
      tell(told -> told.unreachable(peer));
    }
  }

  /**
   * Messages of a tenant, by the first three of the memory nodes.
   *
   * @param leaseNanos how long a tenant may be silent
   */
  public static TcpPeerNetwork open(
      Environment environment,
      List<NodeAddress> nodes,
      TcpFabric.Options options,
      long tenant,
      long leaseNanos,
      PeerId self) {
    long intervalNanos = TcpFabric.heartbeatNanos(leaseNanos);
    return new TcpPeerNetwork(environment, nodes, options, tenant, intervalNanos, self);
  }

  private TcpPeerNetwork(
      Environment environment,
      List<NodeAddress> nodes,
      TcpFabric.Options options,
      long tenant,
      long intervalNanos,
      PeerId self) {
    this.self = self;
    for (int node = 0; node < nodes.size() && links.size() < LINKS_MAX; node++) {
      Handshake handshake = TcpFabric.handshake(nodes.get(node), node, options).impatient();
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
    int way = way(to);
    for (int i = 0; i < links.size(); i++) {
      if (links.get((way + i) % links.size()).send(to, message)) {
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

  /** Whether all connections are there. */
  boolean isConnected() {
    return links.stream().allMatch(MessageLink::isConnected);
  }

  /** The listener is told nothing any more when this returns; not called by the listener. */
  @Override
  public void close() {
    links.forEach(MessageLink::close);
  }
}
