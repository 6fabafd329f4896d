package org.nelumbo.dm.pool;

import java.util.List;

/**
 * Compares the copies of a pool with each other during normal operation, at a bounded rate. A
 * memory node with a word that differs from most copies is filled again; without such a majority
 * the word is reported. Thread-safe.
 */
public interface CopiesCheck {
  /**
   * Progress and results.
   *
   * @param rounds number of completed rounds
   * @param isRunning whether a round is under way
   * @param comparedBytes bytes compared of each copy, in this round or the last one
   * @param wantedBytes bytes to compare of each copy, as far as is known
   * @param mendedWords words of 8 bytes that were repaired, in all rounds
   * @param differingWords words that differ and could not be repaired, in this round or the last
   *     one
   * @param findings locations of the first of these words, one line each
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
   * Begins a round, unless one is under way. The round waits while a memory node is being filled.
   */
  void begin();

  /** Returns the progress and the results. */
  Status status();
}
