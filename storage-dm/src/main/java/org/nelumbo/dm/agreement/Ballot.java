package org.nelumbo.dm.agreement;

/**
 * Number of an attempt to have a decision chosen; no two proposers use the same.
 *
 * @param round counts attempts, from 1
 * @param proposer who makes it; unique
 */
public record Ballot(long round, long proposer) implements Comparable<Ballot> {
  /** Below every ballot that is used. */
  public static final Ballot NONE = new Ballot(0, 0);

  @Override
  public int compareTo(Ballot other) {
    int order = Long.compare(round, other.round);
    return order != 0 ? order : Long.compare(proposer, other.proposer);
  }

  @Override
  public String toString() {
    return round + "." + Long.toHexString(proposer);
  }
}
