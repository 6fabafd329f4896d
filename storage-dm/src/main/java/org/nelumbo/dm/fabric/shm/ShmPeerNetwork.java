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
 * Messages between the processes that have a pool on one machine: a ring in the file they know each
 * other by for each pair of them ({@link MessageRing}), and a word on which the receiver sleeps.
 * Thread-safe.
 */
final class ShmPeerNetwork implements PeerNetwork {
  private static final long SLEEP_NANOS = 100_000_000L;

  /** Longer than a message takes to be answered by who is awake; see {@link #await}. */
  private static final int LOOKS = 20;

  private final PeerId self;
  private final TenantFile file;
  private final int entry;
  private final Environment environment;
  private final BackgroundThread thread;
  private final ReentrantLock[] sending = new ReentrantLock[TenantFileLayout.ENTRIES];
  private final MessageRing[] outgoing = new MessageRing[TenantFileLayout.ENTRIES];
  private final MessageRing[] incoming = new MessageRing[TenantFileLayout.ENTRIES];

  /** Entries in which compute nodes were found. */
  private final Map<PeerId, Integer> known = new ConcurrentHashMap<>();

  /** Held while the listener is told something: it hears of one thing at a time. */
  private final ReentrantLock telling = new ReentrantLock();

  private PeerListener listener;
  private volatile boolean isClosed;
  private volatile Thread receiver;
  private final ReentrantLock closing = new ReentrantLock();

  /** Guarded by that lock. */
  private boolean isEnded;

  /**
   * Takes messages from now on.
   *
   * @param entry of this process
   */
  ShmPeerNetwork(Environment environment, TenantFile file, int entry, PeerId self) {
    this.environment = environment;
    this.file = file;
    this.entry = entry;
    this.self = self;
    for (int each = 0; each < TenantFileLayout.ENTRIES; each++) {
      sending[each] = new ReentrantLock();
      incoming[each] = new MessageRing(file.area(entry), each);
      incoming[each].clear();
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

  /** The entry of a compute node; -1 if none takes its messages. */
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

  /** Returns when there may be messages. */
  private void await() {
    for (int look = 0; look < LOOKS; look++) {
      environment.stepAside();
      if (file.get(entry, TenantFileLayout.SENDERS) != 0) {
        return;
      }
    }
    int seen = file.getHalf(entry, TenantFileLayout.DOORBELL);
    file.setHalf(entry, TenantFileLayout.SLEEPS, 1);
    // The bit of a sender that has not seen that this one sleeps is seen here.
    if (file.getVolatile(entry, TenantFileLayout.SENDERS) == 0 && !isClosed) {
      Futex.await(file.half(entry, TenantFileLayout.DOORBELL), seen, SLEEP_NANOS);
    }
    file.setHalf(entry, TenantFileLayout.SLEEPS, 0);
  }

  private void tell(PeerId from, PeerId to, ByteBuffer message) {
    if (!to.equals(self)) {
      return; // it is late: that one has ended
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
   * The listener is told nothing any more when this returns, unless it is the listener who closes
   * this.
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

  /** Waits for who sends something just now. */
  private void awaitSent(int there) {
    sending[there].lock();
    try {
      outgoing[there] = null;
    } finally {
      sending[there].unlock();
    }
  }
}
