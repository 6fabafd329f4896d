package org.nelumbo.dm.node;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connections of a memory node and their limits. A connection is a <em>stranger</em> until it
 * has shown that it may ask for something. Strangers have slots of their own, for a short time, and
 * a new one always gets one: the stranger that has had its slot longest makes room, of the address
 * that has most of them. So nobody who says nothing, or speaks slowly, keeps others out. A few of
 * the other slots are for connections that attach or ask for the status: an owner whose connections
 * were lost can come back whatever else is connected. Thread-safe.
 */
final class ConnectionTable {
  /** Slots for strangers. */
  static final int STRANGERS_MAX = 64;

  /** Slots for strangers of one address. */
  static final int STRANGERS_OF_ADDRESS_MAX = 32;

  /** Slots that only connections which attach, enter or ask for something get. */
  static final int KEPT = 16;

  private final int connectionsMax;
  private final long deadlineNanos;
  private final ReentrantLock lock = new ReentrantLock();

  /** With the time at which each came, in that order. */
  private final Map<Peer, Long> strangers = new LinkedHashMap<>();

  private final Map<Peer, Thread> threads = new HashMap<>();

  /** A connection as its table sees it. */
  interface Peer {
    /** Where it comes from. */
    InetAddress address();

    /** Closes it without a word, for that reason. */
    void cut(NodeCounters.Refusal why);

    /** Closes it after what it is at. */
    void end();
  }

  /**
   * @param connectionsMax most connections that are no strangers, besides those that are {@link
   *     #KEPT} free
   * @param deadlineNanos how long a connection may be a stranger
   */
  ConnectionTable(int connectionsMax, long deadlineNanos) {
    this.connectionsMax = connectionsMax;
    this.deadlineNanos = deadlineNanos;
  }

  /** A stranger has come; another may have to go for it. */
  void enter(Peer peer, Thread thread, long now) {
    Peer victim = null;
    lock.lock();
    try {
      Map<InetAddress, Integer> counts = new HashMap<>();
      strangers.keySet().forEach(each -> counts.merge(each.address(), 1, Integer::sum));
      if (counts.getOrDefault(peer.address(), 0) >= STRANGERS_OF_ADDRESS_MAX) {
        victim = oldestOf(peer.address());
      } else if (strangers.size() >= STRANGERS_MAX) {
        victim = oldestOf(busiest(counts));
      }
      strangers.remove(victim);
      strangers.put(peer, now);
      threads.put(peer, thread);
    } finally {
      lock.unlock();
    }
    if (victim != null) {
      victim.cut(NodeCounters.Refusal.LIMIT);
    }
  }

  private static InetAddress busiest(Map<InetAddress, Integer> counts) {
    Map.Entry<InetAddress, Integer> most = null;
    for (Map.Entry<InetAddress, Integer> entry : counts.entrySet()) {
      if (most == null || entry.getValue() > most.getValue()) {
        most = entry;
      }
    }
    return most == null ? null : most.getKey();
  }

  private Peer oldestOf(InetAddress address) {
    assert lock.isHeldByCurrentThread();
    for (Peer peer : strangers.keySet()) {
      if (peer.address().equals(address)) {
        return peer;
      }
    }
    return null;
  }

  /**
   * A stranger has shown that it may ask for something.
   *
   * @param isKept whether it may have one of the slots that are kept
   * @return false if there is no slot for it, or it was cut off meanwhile
   */
  boolean welcome(Peer peer, boolean isKept) {
    lock.lock();
    try {
      int known = threads.size() - strangers.size();
      boolean hasSlot = known < connectionsMax + (isKept ? KEPT : 0);
      return hasSlot && strangers.remove(peer) != null;
    } finally {
      lock.unlock();
    }
  }

  /** A connection has ended. */
  void leave(Peer peer) {
    lock.lock();
    try {
      strangers.remove(peer);
      threads.remove(peer);
    } finally {
      lock.unlock();
    }
  }

  /** Cuts off those who have been strangers for too long. */
  void cutOverdue(long now) {
    List<Peer> overdue = new ArrayList<>();
    lock.lock();
    try {
      Iterator<Map.Entry<Peer, Long>> oldestFirst = strangers.entrySet().iterator();
      while (oldestFirst.hasNext()) {
        Map.Entry<Peer, Long> entry = oldestFirst.next();
        if (now - entry.getValue() < deadlineNanos) {
          break;
        }
        oldestFirst.remove();
        overdue.add(entry.getKey());
      }
    } finally {
      lock.unlock();
    }
    overdue.forEach(peer -> peer.cut(NodeCounters.Refusal.SILENT));
  }

  /** Connections there are, strangers included. */
  int size() {
    lock.lock();
    try {
      return threads.size();
    } finally {
      lock.unlock();
    }
  }

  /** All connections with their threads, as they are now. */
  Map<Peer, Thread> all() {
    lock.lock();
    try {
      return Map.copyOf(threads);
    } finally {
      lock.unlock();
    }
  }
}
