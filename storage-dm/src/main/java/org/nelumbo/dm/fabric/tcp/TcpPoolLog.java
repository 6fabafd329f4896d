package org.nelumbo.dm.fabric.tcp;

import org.nelumbo.dm.pool.PoolLog;

/**
 * The log of a memory node, over its own connection, so that waits for the disk do not delay reads.
 * If that connection is lost, all others are closed as well. Thread-safe.
 */
final class TcpPoolLog implements PoolLog {
  private static final byte[] NOTHING = {};

  private final NodeLink link;
  private final Questions questions;

  private volatile Runnable whenLost = () -> {};

  /** Sends requests about the log that use another connection; see {@link Wire}. */
  interface Questions {
    long ask(byte type, long argument);
  }

  TcpPoolLog(NodeLink link, Questions questions) {
    this.link = link;
    this.questions = questions;
  }

  /** Sets the action for a lost connection, after which no transaction can commit. */
  void setWhenLost(Runnable value) {
    whenLost = value;
  }

  @Override
  public Appender newAppender() {
    AppendRequest request = new AppendRequest();
    return new Appender() {
      @Override
      public void send(long transaction, byte[] frame, int length, boolean isForced) {
        request.set(transaction, frame, length, isForced);
        submit(request);
      }

      @Override
      public void await() {
        TcpPoolLog.this.await(request);
      }
    };
  }

  private void submit(LinkRequest request) {
    boolean isDone = false;
    try {
      link.submit(request);
      isDone = true;
    } finally {
      if (!isDone) {
        whenLost.run();
      }
    }
  }

  private void await(LinkRequest request) {
    boolean isAnswered = false;
    try {
      link.await(request);
      isAnswered = true;
    } finally {
      if (!isAnswered) {
        whenLost.run();
      }
    }
  }

  private void exchange(LinkRequest request) {
    submit(request);
    await(request);
  }

  @Override
  public byte[] ask(byte[] question) {
    LogFilesRequest request = new LogFilesRequest(question);
    exchange(request);
    return request.reply();
  }

  @Override
  public void force() {
    appendNothing(true);
  }

  /** Sends a heartbeat. */
  void beat() {
    appendNothing(false);
  }

  private void appendNothing(boolean isForced) {
    AppendRequest request = new AppendRequest();
    request.set(0, NOTHING, 0, isForced);
    exchange(request);
  }

  @Override
  public long committed(long transaction) {
    return questions.ask(Wire.COMMITTED, transaction);
  }

  @Override
  public void forgetCommitted() {
    questions.ask(Wire.FORGET_COMMITTED, 0);
  }

  @Override
  public int lastStore() {
    return (int) questions.ask(Wire.LAST_STORE, 0);
  }

  /** Closes the connection, even if it is in use. */
  void cut() {
    link.close();
  }
}
