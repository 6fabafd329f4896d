package org.nelumbo.history;

import java.util.Arrays;
import org.nelumbo.session.Isolation;

/** A builder of a history to which whole transactions are added. Not thread-safe. */
public final class HistoryBuilder {
  private static final int INITIAL = 64;

  int size;
  int[] session = new int[INITIAL];
  long[] invoked = new long[INITIAL];
  long[] completed = new long[INITIAL];
  byte[] outcome = new byte[INITIAL];
  byte[] isolation = new byte[INITIAL];
  int[] firstOperation = new int[INITIAL + 1];
  final OperationColumns operations = new OperationColumns();

  void add(
      int itsSession,
      Isolation level,
      Outcome end,
      long from,
      long to,
      OperationColumns itsOperations) {
    grow();
    session[size] = itsSession;
    isolation[size] = (byte) level.ordinal();
    outcome[size] = (byte) end.ordinal();
    invoked[size] = from;
    completed[size] = end == Outcome.UNKNOWN ? History.NEVER : to;
    firstOperation[size] = operations.size;
    operations.addAll(itsOperations);
    size++;
  }

  private void grow() {
    if (size == session.length) {
      int capacity = size * 2;
      session = Arrays.copyOf(session, capacity);
      invoked = Arrays.copyOf(invoked, capacity);
      completed = Arrays.copyOf(completed, capacity);
      outcome = Arrays.copyOf(outcome, capacity);
      isolation = Arrays.copyOf(isolation, capacity);
      firstOperation = Arrays.copyOf(firstOperation, capacity + 1);
    }
  }

  /** Returns the history of all transactions so far. */
  public History build() {
    return new History(this);
  }
}
