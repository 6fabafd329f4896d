package org.nelumbo.parser.ast;

/**
 * The modes of START TRANSACTION and SET TRANSACTION.
 *
 * @param isolation the isolation level, null if not said
 * @param readOnly READ ONLY or READ WRITE, null if not said
 */
public record TransactionModes(IsolationLevel isolation, Boolean readOnly) {
  /** Nothing said. */
  public static final TransactionModes NONE = new TransactionModes(null, null);

  /** These modes with the isolation level. */
  public TransactionModes withIsolation(IsolationLevel level) {
    return new TransactionModes(level, readOnly);
  }

  /** These modes with READ ONLY or READ WRITE. */
  public TransactionModes withReadOnly(boolean value) {
    return new TransactionModes(isolation, value);
  }

  /** As written in SQL; empty if nothing is said. */
  public String sql() {
    String level = isolation == null ? "" : "ISOLATION LEVEL " + isolation.sql();
    if (readOnly == null) {
      return level;
    }
    return (level.isEmpty() ? "" : level + ", ") + (readOnly ? "READ ONLY" : "READ WRITE");
  }
}
