package org.nelumbo.dm.fabric.shm;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerListener;
import org.nelumbo.dm.peer.PeerNetwork;

/**
 * A message network between the processes that share a pool on one machine. Each pair of processes
 * has a ring in the table file ({@link MessageRing}), and each receiver has a futex word on which
 * it sleeps. Thread-safe.
 */
final class ShmPeerNetwork implements PeerNetwork {
  private static final long SLEEP_NANOS = 100_000_000L;

  /**
   * Polls before the receiver sleeps: longer than the response time of a running process; see
   * {@link #await}.
   */
  private static final int LOOKS = 20;

  private final PeerId self;
  private final TenantFile file;
  private final int entry;
  private final Environment environment;
  private final BackgroundThread thread;
  private final ReentrantLock[] sending = new ReentrantLock[TenantFileLayout.ENTRIES];
  private final MessageRing[] outgoing = new MessageRing[TenantFileLayout.ENTRIES];
  private final MessageRing[] incoming = new MessageRing[TenantFileLayout.ENTRIES];

  private final Map<PeerId, Integer> known = new ConcurrentHashMap<>();

  /** Held during calls of the listener, which are serialized. */
  private final ReentrantLock telling = new ReentrantLock();

  private PeerListener listener;
  private volatile boolean isClosed;
  private volatile Thread receiver;
  private final ReentrantLock closing = new ReentrantLock();

  /** Guarded by {@code closing}. */
  private boolean isEnded;

  /**
   * Starts to receive messages.
   *
   * @param entry slot of this process
   */
  ShmPeerNetwork(Environment environment, TenantFile file, int entry, PeerId self) {
    this.environment = environment;
    this.file = file;
    this.entry = entry;
    this.self = self;
    for (int each = 0; each < TenantFileLayout.ENTRIES; each++) {
      sending[each] = new ReentrantLock();
      incoming[each] = new MessageRing(file.area(entry), each);
    }
    file.set(entry, TenantFileLayout.PEER_NODE, self.node());
    file.set(entry, TenantFileLayout.PEER_INCARNATION, self.incarnation());
    this.thread = new BackgroundThread(environment, "nelumbo-messages", this::receive);
    thread.start();
  }

  @Override
  public PeerId self() {
    return self;
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

  @Override
  public boolean send(PeerId to, ByteBuffer message) {
    if (message.remaining() > MESSAGE_BYTES_MAX) {
      throw new IllegalArgumentException("a message is too long bytes=" + message.remaining());
    }
    int there = find(to);
    if (there < 0) {
      return false;
    }
    boolean isSent;
    sending[there].lock();
    try {
      if (isClosed) {
        return false;
      }
      if (outgoing[there] == null) {
        outgoing[there] = new MessageRing(file.area(there), entry);
      }
      isSent = outgoing[there].offer(self, to, message);
      file.setBits(there, TenantFileLayout.SENDERS, 1L << entry);
      if (file.getHalf(there, TenantFileLayout.SLEEPS) != 0) {
        ring(there);
      }
    } finally {
      sending[there].unlock();
    }
    return isSent;
  }

  private void ring(int there) {
    file.addHalf(there, TenantFileLayout.DOORBELL);
    Futex.wake(file.half(there, TenantFileLayout.DOORBELL));
  }

  private int find(PeerId peer) {
    Integer before = known.get(peer);
    if (before != null && isAt(before, peer)) {
      return before;
    }
    for (int each = 0; each < TenantFileLayout.ENTRIES; each++) {
      if (each != entry && isAt(each, peer)) {
        known.put(peer, each);
        return each;
      }
    }
    known.remove(peer);
    return -1;
  }

  private boolean isAt(int there, PeerId peer) {
    return file.get(there, TenantFileLayout.PEER_INCARNATION) == peer.incarnation()
        && file.get(there, TenantFileLayout.PEER_NODE) == peer.node()
        && file.isEntered(there);
  }

  private void receive() {
    receiver = Thread.currentThread();
    byte[] buffer = new byte[MESSAGE_BYTES_MAX];
    while (!isClosed) {
      long senders = file.getAndSet(entry, TenantFileLayout.SENDERS, 0);
      if (senders == 0) {
        await();
      }
      for (long left = senders; left != 0; left &= left - 1) {
        incoming[Long.numberOfTrailingZeros(left)].drain(buffer, this::tell);
      }
    }
  }

  private void await() {
    for (int look = 0; look < LOOKS; look++) {
      environment.stepAside();
      if (file.get(entry, TenantFileLayout.SENDERS) != 0) {
        return;
      }
    }
    int seen = file.getHalf(entry, TenantFileLayout.DOORBELL);
    file.setHalf(entry, TenantFileLayout.SLEEPS, 1);
    // If a sender has not seen that this thread sleeps, then this read sees the sender's bit.
    if (file.getVolatile(entry, TenantFileLayout.SENDERS) == 0 && !isClosed) {
      Futex.await(file.half(entry, TenantFileLayout.DOORBELL), seen, SLEEP_NANOS);
    }
    file.setHalf(entry, TenantFileLayout.SLEEPS, 0);
  }

  private void tell(PeerId from, PeerId to, ByteBuffer message) {
    if (!to.equals(self)) {
      return; // a late message for a compute node that has ended
    }
    telling.lock();
    try {
      if (listener != null && !isClosed) {
        listener.received(from, message);
      }
    } finally {
      telling.unlock();
    }
  }

  /**
   * Stops the network. When this returns, the listener receives no more calls, unless the listener
   * itself is the caller.
   */
  @Override
  public void close() {
    isClosed = true;
    if (Thread.currentThread() == receiver) {
      return;
    }
    closing.lock();
    try {
      if (!isEnded) {
        isEnded = true;
        file.set(entry, TenantFileLayout.PEER_INCARNATION, 0);
        thread.stop();
        ring(entry);
        thread.join();
        for (int each = 0; each < sending.length; each++) {
          awaitSent(each);
        }
      }
    } finally {
      closing.unlock();
    }
  }

  private void awaitSent(int there) {
    sending[there].lock();
    try {
      outgoing[there] = null;
    } finally {
      sending[there].unlock();
    }
  }
}
