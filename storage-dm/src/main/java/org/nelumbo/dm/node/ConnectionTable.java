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
 * has authenticated.
 *
 * <ul>
 *   <li>Strangers have their own slots, for a limited time. A new stranger always gets one: it
 *       replaces the oldest stranger of the address that has the most strangers. So a peer that is
 *       silent or slow cannot keep other peers out.
 *   <li>Some of the other slots are reserved for connections that attach or request the status, so
 *       that an owner with lost connections can return, whatever else is connected.
 * </ul>
 *
 * <p>Thread-safe.
 */
final class ConnectionTable {
  /** Slots for strangers. */
  static final int STRANGERS_MAX = 64;

  /** Slots for strangers of one address. */
  static final int STRANGERS_OF_ADDRESS_MAX = 32;

  /** Slots that are reserved for connections that attach, enter or send a request. */
  static final int KEPT = 16;

  private final int connectionsMax;
  private final long deadlineNanos;
  private final ReentrantLock lock = new ReentrantLock();

  /** Arrival times, in ascending order. */
  private final Map<Peer, Long> strangers = new LinkedHashMap<>();

  private final Map<Peer, Thread> threads = new HashMap<>();

  /** A connection of the table. */
  interface Peer {
    /** Returns the remote address. */
    InetAddress address();

    /** Closes the connection without a message, for a reason. */
    void cut(NodeCounters.Refusal why);

    /** Closes the connection after its current frame. */
    void end();
  }

  /**
   * Creates an empty table.
   *
   * @param connectionsMax maximum number of connections that are not strangers, not counting the
   *     {@link #KEPT} reserved slots
   * @param deadlineNanos maximum time for which a connection may be a stranger
   */
  ConnectionTable(int connectionsMax, long deadlineNanos) {
    this.connectionsMax = connectionsMax;
    this.deadlineNanos = deadlineNanos;
  }

  /** Adds a stranger; may cut another one. */
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
   * Moves an authenticated stranger to another slot.
   *
   * @param isKept true if it may use one of the reserved slots
   * @return false if no slot is free, or it was cut meanwhile
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

  /** Removes a connection that has ended. */
  void leave(Peer peer) {
    lock.lock();
    try {
      strangers.remove(peer);
      threads.remove(peer);
    } finally {
      lock.unlock();
    }
  }

  /** Cuts overdue strangers. */
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

  /** Returns the number of connections, including strangers. */
  int size() {
    lock.lock();
    try {
      return threads.size();
    } finally {
      lock.unlock();
    }
  }

  /** Returns a copy of all connections with their threads. */
  Map<Peer, Thread> all() {
    lock.lock();
    try {
      return Map.copyOf(threads);
    } finally {
      lock.unlock();
    }
  }
}
