package org.nelumbo.executor.timestamp;

/**
 * The timestamp service (LOTUS section 5): one global order. Timestamps have 56 bits: microseconds
 * since 2024-01-01 UTC, times 16, plus a count. Thread-safe.
 */
public interface Clock {
  /** A start timestamp: every version with a commit timestamp up to it was drawn before. */
  long now();

  /** A commit timestamp: larger than every timestamp given before. */
  long next();
}
