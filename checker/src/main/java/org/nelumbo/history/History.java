package org.nelumbo.history;

import java.util.Arrays;
import org.nelumbo.session.Isolation;

/**
 * The history of what the clients of a database did and saw: transactions, numbered from 0, each a
 * range of operations, numbered through. Held in columns of primitives, about 17 bytes an operation
 * and 26 a transaction. Immutable.
 */
public final class History {
  /** Completion of a transaction whose client never heard of its end. */
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

  /** Number of transactions. */
  public int size() {
    return session.length;
  }

  /** The client; its transactions follow one another. */
  public int session(int transaction) {
    return session[transaction];
  }

  /** When the client began it: any unit, one clock for all. */
  public long invoked(int transaction) {
    return invoked[transaction];
  }

  /** When the client was told its end; {@link #NEVER} if the outcome is unknown. */
  public long completed(int transaction) {
    return completed[transaction];
  }

  public Outcome outcome(int transaction) {
    return Outcome.of(outcome[transaction]);
  }

  public Isolation isolation(int transaction) {
    return isolation[transaction] == 0 ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT;
  }

  /** Number of operations of all transactions. */
  public int operations() {
    return kind.length;
  }

  /** First operation of a transaction. */
  public int firstOperation(int transaction) {
    return firstOperation[transaction];
  }

  /** The operation after a transaction's last. */
  public int endOperation(int transaction) {
    return firstOperation[transaction + 1];
  }

  public OperationKind kind(int operation) {
    return OperationKind.of(kind[operation]);
  }

  /** The key; of a SCAN, the lowest of its range. */
  public int key(int operation) {
    return key[operation];
  }

  /** The value of an APPEND, WRITE, INSERT, or of a READ that found something. */
  public long value(int operation) {
    return value[operation];
  }

  /** Whether a READ found a row. */
  public boolean isPresent(int operation) {
    return count[operation] != 0;
  }

  /** Number of elements of a LIST, or of rows of a SCAN. */
  public int count(int operation) {
    return count[operation];
  }

  /** An element of a LIST. */
  public long element(int operation, int index) {
    return pool[(int) value[operation] + index];
  }

  /** The highest key of the range of a SCAN. */
  public int scanHigh(int operation) {
    return (int) pool[(int) value[operation]];
  }

  /** The key of a row that a SCAN returned; they ascend. */
  public int scanKey(int operation, int index) {
    return (int) pool[(int) value[operation] + 1 + 2 * index];
  }

  /** The value of a row that a SCAN returned. */
  public long scanValue(int operation, int index) {
    return pool[(int) value[operation] + 2 + 2 * index];
  }
}
