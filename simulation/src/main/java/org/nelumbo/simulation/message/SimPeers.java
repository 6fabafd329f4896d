package org.nelumbo.simulation.message;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerListener;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.simulation.world.SimWorld;

/**
 * The messages between the compute nodes of a simulated world. The node numbers are the endpoints
 * of a {@link MessageNetwork}.
 */
public final class SimPeers {
  private final SimWorld world;
  private final MessageNetwork network;
  private final Map<PeerId, PeerListener> listeners = new HashMap<>();
  private final Map<PeerId, Long> pausedUntil = new HashMap<>();

  public SimPeers(SimWorld world, MessageNetwork network) {
    this.world = world;
    this.network = network;
  }

  /** Returns the network of a compute node that starts. */
  public PeerNetwork join(PeerId self) {
    return new Network(self);
  }

  /**
   * Removes a compute node that has ended: messages to it are lost, messages from it still arrive.
   */
  public void leave(PeerId peer) {
    listeners.remove(peer);
  }

  /** Pauses a compute node; messages to it are delivered afterwards. */
  public void pauseUntil(PeerId peer, long time) {
    pausedUntil.merge(peer, time, Math::max);
  }

  private void deliver(PeerId from, PeerId to, byte[] message) {
    long paused = pausedUntil.getOrDefault(to, 0L);
    if (paused > world.now()) {
      world.at(paused, () -> deliver(from, to, message));
      return;
    }
    PeerListener listener = listeners.get(to);
    if (listener != null) {
      listener.received(from, ByteBuffer.wrap(message));
    }
  }

  private final class Network implements PeerNetwork {
    private final PeerId self;

    Network(PeerId self) {
      this.self = self;
    }

    @Override
    public PeerId self() {
      return self;
    }

    @Override
    public boolean send(PeerId to, ByteBuffer message) {
      if (message.remaining() > MESSAGE_BYTES_MAX) {
        throw new IllegalArgumentException("a message is too long bytes=" + message.remaining());
      }
      byte[] copy = new byte[message.remaining()];
      message.get(message.position(), copy);
      network.send(self.node(), to.node(), () -> deliver(self, to, copy));
      return true;
    }

    @Override
    public void listen(PeerListener listener) {
      listeners.put(self, listener);
    }

    @Override
    public void close() {
      listeners.remove(self);
    }
  }
}
