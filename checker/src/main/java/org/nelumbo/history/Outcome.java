package org.nelumbo.history;

import java.util.Locale;

/** The outcome that the client was told at the end of its transaction. */
public enum Outcome {
  /** The transaction has happened. */
  COMMITTED,
  /** It has not, and never will. */
  ABORTED,
  /**
   * The client stopped, or lost its connection, before it was told: the transaction has happened,
   * or may still happen, or never will.
   */
  UNKNOWN;

  private static final Outcome[] VALUES = values();

  static Outcome of(byte ordinal) {
    return VALUES[ordinal];
  }

  /** The word of the text form. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
