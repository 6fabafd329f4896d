package org.nelumbo.history;

/**
 * The kinds of steps of a transaction. Keys are ints. A key is used as a list (APPEND, LIST) or as
 * a row (all others), never both. Every value is written at most once to its key, so that who reads
 * it tells whose write it saw.
 */
public enum OperationKind {
  /** Appended a value to the list of a key; a list that is not there is empty. */
  APPEND("append"),
  /** Read the whole list of a key. */
  LIST("list"),
  /** Gave a row a value, whether or not it was there. */
  WRITE("write"),
  /** Read a row: its value, or nil if it was not there. */
  READ("read"),
  /** Created a row, which was not there. */
  INSERT("insert"),
  /** Deleted a row, which was there. */
  DELETE("delete"),
  /**
   * Read all rows of a range of keys: those that were there, and with that, those that were not.
   */
  SCAN("scan");

  private static final OperationKind[] VALUES = values();

  private final String word;

  OperationKind(String word) {
    this.word = word;
  }

  /** The word of the text form. */
  public String word() {
    return word;
  }

  /** Whether it changes its key. */
  public boolean isWrite() {
    return this == APPEND || this == WRITE || this == INSERT || this == DELETE;
  }

  /** Whether its key is a list. */
  public boolean isOfList() {
    return this == APPEND || this == LIST;
  }

  static OperationKind of(byte ordinal) {
    return VALUES[ordinal];
  }
}
