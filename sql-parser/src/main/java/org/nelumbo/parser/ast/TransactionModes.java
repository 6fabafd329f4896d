package org.nelumbo.parser.ast;

/**
 * The modes of START TRANSACTION and SET TRANSACTION.
 *
 * @param isolation the isolation level; null if not given
 * @param readOnly READ ONLY or READ WRITE; null if not given
 */
public record TransactionModes(IsolationLevel isolation, Boolean readOnly) {
  /** No modes given. */
  public static final TransactionModes NONE = new TransactionModes(null, null);

  /** Returns these modes with an isolation level. */
  public TransactionModes withIsolation(IsolationLevel level) {
    return new TransactionModes(level, readOnly);
  }

  /** Returns these modes with READ ONLY or READ WRITE. */
  public TransactionModes withReadOnly(boolean value) {
    return new TransactionModes(isolation, value);
  }

  /** Returns the modes as SQL; empty if none are given. */
  public String sql() {
    String level = isolation == null ? "" : "ISOLATION LEVEL " + isolation.sql();
    if (readOnly == null) {
      return level;
    }
    return (level.isEmpty() ? "" : level + ", ") + (readOnly ? "READ ONLY" : "READ WRITE");
  }
}
