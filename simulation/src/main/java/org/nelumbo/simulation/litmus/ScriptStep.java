package org.nelumbo.simulation.litmus;

import java.util.Locale;

/**
 * One operation of a transaction in a litmus script.
 *
 * @param kind kind of operation
 * @param key name of the row; for a SCAN, of the first row of its range
 * @param last for a SCAN, name of the last row of its range; otherwise equal to {@code key}
 */
record ScriptStep(Kind kind, String key, String last) {
  /** Kinds of operations. */
  enum Kind {
    /** Reads a row, which may be missing. */
    READ,
    /** Reads a row that is going to be written, under its write lock. */
    LOCK,
    /** Updates a row; the transaction gives up if it is missing. */
    WRITE,
    /** Updates or inserts a row. */
    PUT,
    /** Inserts a row; the transaction gives up if it exists. */
    INSERT,
    /** Deletes a row; the transaction gives up if it is missing. */
    DELETE,
    /** Reads all rows of a range. */
    SCAN,
    /** Rolls the transaction back. */
    ROLLBACK
  }

  /** Returns true if the step changes its row. */
  boolean writes() {
    return switch (kind) {
      case WRITE, PUT, INSERT, DELETE -> true;
      case READ, LOCK, SCAN, ROLLBACK -> false;
    };
  }

  @Override
  public String toString() {
    String word = kind.name().toLowerCase(Locale.ROOT);
    return switch (kind) {
      case ROLLBACK -> word;
      case SCAN -> word + " " + key + " " + last;
      case READ, LOCK, WRITE, PUT, INSERT, DELETE -> word + " " + key;
    };
  }
}
