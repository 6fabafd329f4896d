package org.nelumbo.history;

import java.util.Arrays;
import org.nelumbo.session.Isolation;

/**
 * The history of the operations of a database's clients and their results. Transactions are
 * numbered from 0; each one is a range of consecutively numbered operations. The history is stored
 * in primitive columns, with about 17 bytes per operation and 26 per transaction. Immutable.
 */
public final class History {
  /** Completion time of a transaction whose client never learned the outcome. */
  public static final long NEVER = Long.MAX_VALUE;

  private final int[] session;
  private final long[] invoked;
  private final long[] completed;
  private final byte[] outcome;
  private final byte[] isolation;
  private final int[] firstOperation;
  private final byte[] kind;
  private final int[] key;
  private final long[] value;
  private final int[] count;
  private final long[] pool;

  History(HistoryBuilder builder) {
    int size = builder.size;
    this.session = Arrays.copyOf(builder.session, size);
    this.invoked = Arrays.copyOf(builder.invoked, size);
    this.completed = Arrays.copyOf(builder.completed, size);
    this.outcome = Arrays.copyOf(builder.outcome, size);
    this.isolation = Arrays.copyOf(builder.isolation, size);
    this.firstOperation = Arrays.copyOf(builder.firstOperation, size + 1);
    OperationColumns operations = builder.operations;
    this.kind = Arrays.copyOf(operations.kind, operations.size);
    this.key = Arrays.copyOf(operations.key, operations.size);
    this.value = Arrays.copyOf(operations.value, operations.size);
    this.count = Arrays.copyOf(operations.count, operations.size);
    this.pool = Arrays.copyOf(operations.pool, operations.poolSize);
    firstOperation[size] = operations.size;
  }

  /** Returns the number of transactions. */
  public int size() {
    return session.length;
  }

  /** Returns the client, whose transactions run one after another. */
  public int session(int transaction) {
    return session[transaction];
  }

  /**
   * Returns the time when the client began the transaction: in any unit, by one clock for all
   * clients.
   */
  public long invoked(int transaction) {
    return invoked[transaction];
  }

  /**
   * Returns the time when the client learned the outcome; {@link #NEVER} if the outcome is unknown.
   */
  public long completed(int transaction) {
    return completed[transaction];
  }

  public Outcome outcome(int transaction) {
    return Outcome.of(outcome[transaction]);
  }

  public Isolation isolation(int transaction) {
    return isolation[transaction] == 0 ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT;
  }

  /** Returns the number of operations of all transactions. */
  public int operations() {
    return kind.length;
  }

  /** Returns the first operation of a transaction. */
  public int firstOperation(int transaction) {
    return firstOperation[transaction];
  }

  /** Returns the operation after the last one of a transaction. */
  public int endOperation(int transaction) {
    return firstOperation[transaction + 1];
  }

  public OperationKind kind(int operation) {
    return OperationKind.of(kind[operation]);
  }

  /** Returns the key of an operation; the lowest key of the range of a SCAN. */
  public int key(int operation) {
    return key[operation];
  }

  /** Returns the value of an APPEND, WRITE, INSERT, or of a READ that found a row. */
  public long value(int operation) {
    return value[operation];
  }

  /** Returns true if a READ found a row. */
  public boolean isPresent(int operation) {
    return count[operation] != 0;
  }

  /** Returns the number of elements of a LIST, or of rows of a SCAN. */
  public int count(int operation) {
    return count[operation];
  }

  /** Returns an element of a LIST. */
  public long element(int operation, int index) {
    return pool[(int) value[operation] + index];
  }

  /** Returns the highest key of the range of a SCAN. */
  public int scanHigh(int operation) {
    return (int) pool[(int) value[operation]];
  }

  /** Returns the key of a row that a SCAN returned; keys are ascending. */
  public int scanKey(int operation, int index) {
    return (int) pool[(int) value[operation] + 1 + 2 * index];
  }

  /** Returns the value of a row that a SCAN returned. */
  public long scanValue(int operation, int index) {
    return pool[(int) value[operation] + 2 + 2 * index];
  }
}
