package org.nelumbo.simulation.agreement;

import java.nio.ByteBuffer;
import java.util.TreeMap;
import java.util.TreeSet;
import org.nelumbo.dm.agreement.AcceptorId;
import org.nelumbo.dm.agreement.Decision;

/**
 * All decisions that anybody in a world has been told of, and what has to hold of them: one for
 * each number, each made from the one before, none lost that a proposer was told of.
 *
 * <p>The content of a decision is the tag of who made it, and a hash over the decision before it.
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

  /** Somebody takes a decision for chosen. */
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

  /** A proposer has returned a decision. */
  void acknowledge(Decision decision) {
    add(decision);
    acknowledged.add(decision.number());
  }

  /** The latest decision that a proposer has returned, 0 if there is none. */
  long latestAcknowledged() {
    return acknowledged.isEmpty() ? 0 : acknowledged.last();
  }

  /** The latest that anybody has heard of; null if there is none. */
  Decision latest() {
    return decisions.isEmpty() ? null : decisions.lastEntry().getValue();
  }

  int size() {
    return decisions.size();
  }
}
