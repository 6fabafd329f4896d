package org.nelumbo.executor.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerListener;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.executor.timestamp.HybridClock;

class ClockedNetworkTest {
  /** A network whose messages come back to their sender. */
  private static final class Mirror implements PeerNetwork {
    private PeerListener listener;

    @Override
    public PeerId self() {
      return new PeerId(0, 1);
    }

    @Override
    public boolean send(PeerId to, ByteBuffer message) {
      ByteBuffer copy = ByteBuffer.allocate(message.remaining());
      copy.put(message.duplicate()).flip();
      listener.received(self(), copy);
      return true;
    }

    @Override
    public void listen(PeerListener to) {
      listener = to;
    }

    @Override
    public void close() {}
  }

  /** A clock that can be raised by messages. */
  private static final class Heard extends HybridClock {
    private final List<Long> heard = new ArrayList<>();

    private Heard() {
      super(new SystemEnvironment());
    }

    @Override
    public void raiseAbove(long timestamp) {
      heard.add(timestamp);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 1024})
  void shouldCarryTheClockBehindTheMessage(int capacity) {
    Heard clock = new Heard();
    ClockedNetwork network = new ClockedNetwork(new Mirror(), clock);
    List<Long> received = new ArrayList<>();
    network.listen(
        (from, message) -> {
          received.add(message.getLong());
          received.add(message.getLong());
          assertEquals(0, message.remaining());
        });
    long before = clock.now();
    ByteBuffer message = ByteBuffer.allocate(capacity).putLong(7).putLong(9).flip();
    assertTrue(network.send(new PeerId(0, 1), message));
    assertEquals(List.of(7L, 9L), received);
    assertTrue(clock.heard.getFirst() >= before);
    assertEquals(16, message.limit());
  }
}
