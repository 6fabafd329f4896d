package org.nelumbo.dm.agreement;

import java.util.Arrays;
import java.util.List;

/**
 * One decision of the sequence, chosen or proposed. Immutable.
 *
 * @param number its index in the sequence, from 1; 0 stands for the state before the first
 * @param acceptors the acceptors that choose the next decision
 * @param content the decided value; opaque to this package, and not to be changed
 */
public record Decision(long number, List<AcceptorId> acceptors, byte[] content) {
  public Decision {
    acceptors = List.copyOf(acceptors);
    if (acceptors.isEmpty()
        || acceptors.stream().map(AcceptorId::node).distinct().count() < acceptors.size()) {
      throw new IllegalArgumentException("a decision needs distinct acceptors: " + acceptors);
    }
  }

  /**
   * Returns the state before the first decision, which must be accepted by all of some empty
   * acceptors.
   */
  static Decision beforeAll(List<AcceptorId> acceptors) {
    return new Decision(0, acceptors, new byte[0]);
  }

  /** Returns the number of its acceptors that must agree to choose the next decision. */
  public int quorum() {
    return number == 0 ? acceptors.size() : acceptors.size() / 2 + 1;
  }

  /** Returns the decision after this one. */
  public Decision next(List<AcceptorId> newAcceptors, byte[] newContent) {
    return new Decision(number + 1, newAcceptors, newContent);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Decision that
        && number == that.number
        && acceptors.equals(that.acceptors)
        && Arrays.equals(content, that.content);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number) * 31 + Arrays.hashCode(content);
  }

  @Override
  public String toString() {
    return "decision " + number + " of " + acceptors;
  }
}
