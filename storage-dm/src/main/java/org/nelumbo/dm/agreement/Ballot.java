package org.nelumbo.dm.agreement;

/**
 * The number of an attempt to have a decision chosen; no two proposers use the same.
 *
 * @param round number of the attempt, from 1
 * @param proposer unique id of the proposer
 */
public record Ballot(long round, long proposer) implements Comparable<Ballot> {
  /** The ballot below every ballot that is used. */
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
