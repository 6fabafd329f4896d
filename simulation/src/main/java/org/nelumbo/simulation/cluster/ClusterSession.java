package org.nelumbo.simulation.cluster;

import org.nelumbo.session.Isolation;

/**
 * The rows of table T (ID BIGINT primary key, VAL BIGINT, GRP BIGINT, TXT VARCHAR) as one client
 * sees them, natively or through SQL. For one simulated thread. Every method of a transaction
 * throws {@link TransactionFailed} if it cannot go on; {@link #abort} is then to be called.
 */
public interface ClusterSession extends AutoCloseable {
  /** Receives the rows of a scan. */
  @FunctionalInterface
  interface Visitor {
    void row(long id, long value, long group);
  }

  void begin(Isolation isolation, boolean readOnly);

  /**
   * Reads a row; {@link #value}, {@link #group} and {@link #text} tell what it holds.
   *
   * @return whether it is there
   */
  boolean read(long id, boolean forUpdate) throws TransactionFailed;

  /**
   * Reads a row in a transaction of its own.
   *
   * @param found told when the client has the row, which may be before the transaction has ended
   * @return whether it is there
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

  /** VAL of the row last read. */
  long value();

  /** GRP of the row last read. */
  long group();

  /** TXT of the row last read. */
  String text();

  /** False if there is such a row. */
  boolean insert(long id, long value, long group, String text) throws TransactionFailed;

  /** False if there is no such row. */
  boolean update(long id, long value, long group, String text) throws TransactionFailed;

  /** False if there is no such row. */
  boolean delete(long id) throws TransactionFailed;

  /** Rows with ids from {@code low} to {@code high}, ascending. */
  void scan(long low, long high, Visitor visitor) throws TransactionFailed;

  /** Rows of a group, ascending by id; the table must have the secondary index. */
  void scanGroup(long group, Visitor visitor) throws TransactionFailed;

  void commit() throws TransactionFailed;

  /** Takes back everything; harmless without a transaction. */
  void abort();

  @Override
  void close();
}
