package org.nelumbo.simulation.litmus;

import java.util.Locale;

/**
 * One operation of a transaction in a litmus script.
 *
 * @param kind what it does
 * @param key name of the row; of a SCAN, of the first row of its range
 * @param last of a SCAN, name of the last row of its range; else the same as {@code key}
 */
record ScriptStep(Kind kind, String key, String last) {
  /** What a step does. */
  enum Kind {
    /** Reads a row, which may be missing. */
    READ,
    /** Reads a row that is going to be written, under its write lock. */
    LOCK,
    /** Gives a row a new value; the transaction gives up if it is missing. */
    WRITE,
    /** Gives a row a new value, or inserts it. */
    PUT,
    /** Inserts a row; the transaction gives up if it is there. */
    INSERT,
    /** Deletes a row; the transaction gives up if it is missing. */
    DELETE,
    /** Reads all rows of a range. */
    SCAN,
    /** Takes back everything. */
    ROLLBACK
  }

  /** Whether it changes its row. */
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
