package org.nelumbo.history;

import org.nelumbo.session.Isolation;

/**
 * Records the operations of a client and their results, one transaction at a time. An operation is
 * recorded after it has succeeded; a write whose success the client does not learn is recorded
 * before. Reused for every transaction by one thread.
 */
public final class SessionRecorder {
  private final HistoryRecorder recorder;
  private final int id;
  private final OperationColumns operations = new OperationColumns();
  private Isolation isolation = Isolation.SERIALIZABLE;
  private long invoked;
  private boolean active;

  SessionRecorder(HistoryRecorder recorder, int id) {
    this.recorder = recorder;
    this.id = id;
  }

  /** Records that the client is about to begin a transaction. */
  public void begin(Isolation level, long now) {
    if (active) {
      throw new IllegalStateException("the last transaction has not ended session=" + id);
    }
    active = true;
    isolation = level;
    invoked = now;
    operations.clear();
  }

  public void append(int key, long value) {
    operations.add(OperationKind.APPEND, key, value, 1);
  }

  /** Records the read of a list: {@code length} elements starting at index {@code from}. */
  public void list(int key, long[] elements, int from, int length) {
    operations.add(OperationKind.LIST, key, operations.poolSize, length);
    for (int i = from; i < from + length; i++) {
      operations.addElement(elements[i]);
    }
  }

  public void write(int key, long value) {
    operations.add(OperationKind.WRITE, key, value, 1);
  }

  public void read(int key, long value) {
    operations.add(OperationKind.READ, key, value, 1);
  }

  /** Records that a row was read and did not exist. */
  public void readNothing(int key) {
    operations.add(OperationKind.READ, key, 0, 0);
  }

  public void insert(int key, long value) {
    operations.add(OperationKind.INSERT, key, value, 1);
  }

  public void delete(int key) {
    operations.add(OperationKind.DELETE, key, 0, 1);
  }

  /** Records the scan of a range, both ends included. Its rows follow through {@link #scanned}. */
  public void scan(int low, int high) {
    operations.add(OperationKind.SCAN, low, operations.poolSize, 0);
    operations.addElement(high);
  }

  /** Records the next row of the latest scan; keys are ascending. */
  public void scanned(int key, long value) {
    operations.count[operations.size - 1]++;
    operations.addElement(key);
    operations.addElement(value);
  }

  /** Records that the client has learned the commit of its transaction. */
  public void committed(long now) {
    end(Outcome.COMMITTED, now);
  }

  /** Records that the transaction has not taken effect, or that the client has rolled it back. */
  public void aborted(long now) {
    end(Outcome.ABORTED, now);
  }

  /** Records that the client will never learn the outcome. */
  public void unknown() {
    end(Outcome.UNKNOWN, History.NEVER);
  }

  void end(Outcome outcome, long now) {
    if (!active) {
      throw new IllegalStateException("no transaction has begun session=" + id);
    }
    active = false;
    recorder.add(this, outcome, now);
  }

  /** Returns true if a transaction has begun and not ended. */
  public boolean isActive() {
    return active;
  }

  int id() {
    return id;
  }

  Isolation isolation() {
    return isolation;
  }

  long invoked() {
    return invoked;
  }

  OperationColumns operations() {
    return operations;
  }
}
