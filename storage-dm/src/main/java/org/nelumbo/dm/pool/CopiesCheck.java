package org.nelumbo.dm.pool;

import java.util.List;

/**
 * Compares the copies of a pool with each other while work goes on, at a bounded rate. What differs
 * is made equal to what most copies have; if there is no such majority, it is named. Thread-safe.
 */
public interface CopiesCheck {
  /**
   * How far it is.
   *
   * @param rounds that came to their end
   * @param isRunning whether one is under way
   * @param comparedBytes of each copy, in this round or the last one
   * @param wantedBytes of each copy, as far as is known
   * @param mendedWords words of 8 bytes that were made equal, in all rounds
   * @param differingWords words that differ and could not be, in this round or the last one
   * @param findings where, of the first ones; a line each
   */
  record Status(
      long rounds,
      boolean isRunning,
      long comparedBytes,
      long wantedBytes,
      long mendedWords,
      long differingWords,
      List<String> findings) {
    public Status {
      findings = List.copyOf(findings);
    }
  }

  /**
   * Begins a round, unless one is under way. It waits while a memory node is being filled.
   *
   * @return false if copies cannot be compared now: several compute nodes have the pool
   */
  boolean begin();

  /** How far it is. */
  Status status();
}
