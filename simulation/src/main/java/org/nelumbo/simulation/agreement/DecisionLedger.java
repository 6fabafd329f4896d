package org.nelumbo.simulation.agreement;

import java.nio.ByteBuffer;
import java.util.TreeMap;
import java.util.TreeSet;
import org.nelumbo.dm.agreement.AcceptorId;
import org.nelumbo.dm.agreement.Decision;

/**
 * All decisions that were observed in a world, and their invariants: there is one for each number,
 * each is based on the one before, and none that a proposer has returned is lost.
 *
 * <p>The content of a decision is the tag of its author, and a hash of the decision before it.
 */
final class DecisionLedger {
  private final TreeMap<Long, Decision> decisions = new TreeMap<>();
  private final TreeSet<Long> acknowledged = new TreeSet<>();

  static byte[] firstContent(long tag) {
    return content(tag, 0);
  }

  static byte[] contentAfter(Decision before, long tag) {
    return content(tag, hash(before));
  }

  private static byte[] content(long tag, long hashBefore) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(tag).putLong(hashBefore).array();
  }

  static long tag(Decision decision) {
    return ByteBuffer.wrap(decision.content()).getLong();
  }

  private static long hashBefore(Decision decision) {
    return ByteBuffer.wrap(decision.content()).getLong(Long.BYTES);
  }

  private static long hash(Decision decision) {
    long hash = decision.number();
    for (AcceptorId each : decision.acceptors()) {
      hash = (hash * 31 + each.node()) * 31 + each.incarnation();
    }
    return hash * 31 + ByteBuffer.wrap(decision.content()).hashCode();
  }

  /** Adds a decision that was observed as chosen. */
  void add(Decision decision) {
    Decision other = decisions.putIfAbsent(decision.number(), decision);
    if (other != null && !other.equals(decision)) {
      throw new IllegalStateException("two decisions were chosen: " + other + " and " + decision);
    }
    if (other == null) {
      checkOrder(decision);
      Decision next = decisions.get(decision.number() + 1);
      if (next != null) {
        checkOrder(next);
      }
    }
  }

  private void checkOrder(Decision decision) {
    Decision before = decisions.get(decision.number() - 1);
    if (before != null && hashBefore(decision) != hash(before)) {
      throw new IllegalStateException(decision + " was not made from " + before);
    }
  }

  /** Adds a decision that a proposer has returned. */
  void acknowledge(Decision decision) {
    add(decision);
    acknowledged.add(decision.number());
  }

  /** Returns the number of the latest decision that a proposer has returned, 0 if there is none. */
  long latestAcknowledged() {
    return acknowledged.isEmpty() ? 0 : acknowledged.last();
  }

  /** Returns the latest observed decision; null if there is none. */
  Decision latest() {
    return decisions.isEmpty() ? null : decisions.lastEntry().getValue();
  }

  int size() {
    return decisions.size();
  }
}
