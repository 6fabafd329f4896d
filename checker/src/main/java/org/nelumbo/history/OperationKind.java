package org.nelumbo.history;

/**
 * The kinds of operations of a transaction. Keys are ints. A key is used either as a list (APPEND,
 * LIST) or as a row (all others). Every value is written at most once to its key, so that a read
 * identifies the write that it has seen.
 */
public enum OperationKind {
  /** Appended a value to the list of a key; a missing list is empty. */
  APPEND("append"),
  /** Read the whole list of a key. */
  LIST("list"),
  /** Set the value of a row, which may or may not exist. */
  WRITE("write"),
  /** Read the value of a row, or nil if it did not exist. */
  READ("read"),
  /** Created a row that did not exist. */
  INSERT("insert"),
  /** Deleted an existing row. */
  DELETE("delete"),
  /**
   * Read all rows of a range of keys, which implies that the other keys of the range had no rows.
   */
  SCAN("scan");

  private static final OperationKind[] VALUES = values();

  private final String word;

  OperationKind(String word) {
    this.word = word;
  }

  /** Returns the word of the text form. */
  public String word() {
    return word;
  }

  /** Returns true if the operation changes its key. */
  public boolean isWrite() {
    return this == APPEND || this == WRITE || this == INSERT || this == DELETE;
  }

  /** Returns true if the key is a list. */
  public boolean isOfList() {
    return this == APPEND || this == LIST;
  }

  static OperationKind of(byte ordinal) {
    return VALUES[ordinal];
  }
}
