package org.nelumbo.executor.lock.remote;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerListener;
import org.nelumbo.dm.peer.PeerNetwork;

/** Compute nodes of one JVM, whose messages arrive immediately. Distinct requests are counted. */
public final class LocalPeers {
  private final Map<PeerId, PeerListener> listeners = new ConcurrentHashMap<>();
  private final Set<String> requests = ConcurrentHashMap.newKeySet();

  /** Returns the number of distinct requests so far, not counting repeated sends. */
  int requests() {
    return requests.size();
  }

  public PeerNetwork of(PeerId self) {
    return new PeerNetwork() {
      @Override
      public PeerId self() {
        return self;
      }

      @Override
      public boolean send(PeerId to, ByteBuffer message) {
        PeerListener listener = listeners.get(to);
        if (listener != null) {
          if (message.get(0) == MessageKind.REQUEST) {
            LockRequest request = LockRequest.decode(message.duplicate().position(1));
            requests.add(self + " " + to + " " + request.slot + " " + request.sequence);
          }
          listener.received(self, message.duplicate());
        }
        return listener != null;
      }

      @Override
      public void listen(PeerListener listener) {
        listeners.put(self, listener);
      }

      @Override
      public void close() {
        listeners.remove(self);
      }
    };
  }
}
