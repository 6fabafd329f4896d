package org.nelumbo.history;

import java.util.Locale;

/** The outcome of a transaction that its client has learned. */
public enum Outcome {
  /** The transaction has taken effect. */
  COMMITTED,
  /** The transaction has not taken effect, and never will. */
  ABORTED,
  /**
   * The client stopped or lost its connection before it learned the outcome: the transaction has
   * taken effect, or may still do so, or never will.
   */
  UNKNOWN;

  private static final Outcome[] VALUES = values();

  static Outcome of(byte ordinal) {
    return VALUES[ordinal];
  }

  /** Returns the word of the text form. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
