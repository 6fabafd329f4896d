package org.nelumbo.simulation.cluster;

import org.nelumbo.session.Isolation;

/**
 * The rows of table T (ID BIGINT primary key, VAL BIGINT, GRP BIGINT, TXT VARCHAR) as one client
 * sees them, natively or through SQL. For one simulated thread. Every method of a transaction
 * throws {@link TransactionFailed} if the transaction cannot continue; the caller then calls {@link
 * #abort}.
 */
public interface ClusterSession extends AutoCloseable {
  /** A receiver of the rows of a scan. */
  @FunctionalInterface
  interface Visitor {
    void row(long id, long value, long group);
  }

  void begin(Isolation isolation, boolean readOnly);

  /** Begins a transaction that reads all commits up to one timestamp; not through SQL. */
  default void beginCut() {
    throw new UnsupportedOperationException("SQL has no cuts");
  }

  /**
   * Reads a row; {@link #value}, {@link #group} and {@link #text} return its columns.
   *
   * @return true if the row exists
   */
  boolean read(long id, boolean forUpdate) throws TransactionFailed;

  /**
   * Reads a row in its own transaction.
   *
   * @param found runs when the client has received the row, perhaps before the transaction has
   *     ended
   * @return true if the row exists
   */
  default boolean readAlone(Isolation isolation, long id, Runnable found) throws TransactionFailed {
    begin(isolation, true);
    boolean there = read(id, false);
    commit();
    if (there) {
      found.run();
    }
    return there;
  }

  /**
   * Reads rows in their own transaction, with one call if the API has one for several rows.
   *
   * @param count ids less than this are read
   */
  default void readTogether(Isolation isolation, int count, Visitor visitor)
      throws TransactionFailed {
    begin(isolation, true);
    for (int id = 0; id < count; id++) {
      if (read(id, false)) {
        visitor.row(id, value(), group());
      }
    }
    commit();
  }

  /** Returns VAL of the row read last. */
  long value();

  /** Returns GRP of the row read last. */
  long group();

  /** Returns TXT of the row read last. */
  String text();

  /** Inserts a row; returns false if it exists. */
  boolean insert(long id, long value, long group, String text) throws TransactionFailed;

  /** Updates a row; returns false if it does not exist. */
  boolean update(long id, long value, long group, String text) throws TransactionFailed;

  /** Deletes a row; returns false if it does not exist. */
  boolean delete(long id) throws TransactionFailed;

  /** Scans the rows with ids from {@code low} to {@code high}, ascending. */
  void scan(long low, long high, Visitor visitor) throws TransactionFailed;

  /** Scans the rows of a group, ascending by id; the table must have the secondary index. */
  void scanGroup(long group, Visitor visitor) throws TransactionFailed;

  void commit() throws TransactionFailed;

  /** Rolls the transaction back; has no effect without a transaction. */
  void abort();

  @Override
  void close();
}
