package org.nelumbo.executor.lock.remote;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerListener;
import org.nelumbo.dm.peer.PeerNetwork;

/** Compute nodes of one JVM, whose messages arrive at once; they are counted. */
final class LocalPeers {
  private final Map<PeerId, PeerListener> listeners = new ConcurrentHashMap<>();
  private final AtomicInteger messages = new AtomicInteger();

  int messages() {
    return messages.get();
  }

  PeerNetwork of(PeerId self) {
    return new PeerNetwork() {
      @Override
      public PeerId self() {
        return self;
      }

      @Override
      public boolean send(PeerId to, ByteBuffer message) {
        PeerListener listener = listeners.get(to);
        if (listener != null) {
          messages.incrementAndGet();
          listener.received(self, message.duplicate());
        }
        return listener != null;
      }

      @Override
      public void listen(PeerListener listener) {
        listeners.put(self, listener);
      }
    };
  }
}
