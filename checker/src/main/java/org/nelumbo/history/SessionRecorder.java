package org.nelumbo.history;

import org.nelumbo.session.Isolation;

/**
 * Records what a client does and sees, one transaction at a time. What it records of an operation
 * it records after the operation succeeded; of a write whose success it never learns, before.
 * Reused for every transaction; one thread.
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

  /** The client is about to begin a transaction. */
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

  /** A list was read: {@code length} elements from {@code from}. */
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

  /** A row was looked for and was not there. */
  public void readNothing(int key) {
    operations.add(OperationKind.READ, key, 0, 0);
  }

  public void insert(int key, long value) {
    operations.add(OperationKind.INSERT, key, value, 1);
  }

  public void delete(int key) {
    operations.add(OperationKind.DELETE, key, 0, 1);
  }

  /** A range, both ends included, was scanned; its rows follow by {@link #scanned}. */
  public void scan(int low, int high) {
    operations.add(OperationKind.SCAN, low, operations.poolSize, 0);
    operations.addElement(high);
  }

  /** The next row of the scan just recorded; keys ascend. */
  public void scanned(int key, long value) {
    operations.count[operations.size - 1]++;
    operations.addElement(key);
    operations.addElement(value);
  }

  /** The client was told that its transaction has committed. */
  public void committed(long now) {
    end(Outcome.COMMITTED, now);
  }

  /** The client was told that its transaction has not happened, or took it back itself. */
  public void aborted(long now) {
    end(Outcome.ABORTED, now);
  }

  /** The client will never be told. */
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

  /** Whether a transaction has begun and not ended. */
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
