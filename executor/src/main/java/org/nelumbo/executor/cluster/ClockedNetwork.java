package org.nelumbo.executor.cluster;

import java.nio.ByteBuffer;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerListener;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.executor.timestamp.Clock;

/**
 * A network whose messages carry the clock of their sender, behind their content; the receiver
 * raises its clock to it. So if a transaction acquires a lock that another one has released on
 * another compute node, its commit timestamp is the larger one. Thread-safe if the network is.
 */
final class ClockedNetwork implements PeerNetwork {
  private final PeerNetwork network;
  private final Clock clock;

  ClockedNetwork(PeerNetwork network, Clock clock) {
    this.network = network;
    this.clock = clock;
  }

  @Override
  public PeerId self() {
    return network.self();
  }

  /** The buffer needs room for the clock behind the message; otherwise it is copied. */
  @Override
  public boolean send(PeerId to, ByteBuffer message) {
    int end = message.limit();
    if (message.capacity() - end < Long.BYTES) {
      ByteBuffer larger = ByteBuffer.allocate(message.remaining() + Long.BYTES);
      larger.put(message).putLong(clock.now());
      return network.send(to, larger.flip());
    }
    message.limit(end + Long.BYTES);
    message.putLong(end, clock.now());
    boolean sent = network.send(to, message);
    message.limit(end);
    return sent;
  }

  @Override
  public void listen(PeerListener listener) {
    network.listen(
        new PeerListener() {
          @Override
          public void received(PeerId from, ByteBuffer message) {
            int end = message.limit() - Long.BYTES;
            if (end >= message.position()) {
              clock.raiseAbove(message.getLong(end));
              message.limit(end);
            }
            listener.received(from, message);
          }

          @Override
          public void unreachable(PeerId peer) {
            listener.unreachable(peer);
          }
        });
  }

  @Override
  public void close() {
    network.close();
  }
}
