package org.nelumbo.dm.redo.node;

import org.nelumbo.dm.pool.PoolLog;

/**
 * A connection to a log in the same process that appends entries and serves requests about files.
 */
public record ReceiverLog(RedoReceiver receiver) implements PoolLog, PoolLog.Appender {
  @Override
  public Appender newAppender() {
    return this;
  }

  @Override
  public void send(long transaction, byte[] frame, int length, boolean isForced) {
    receiver.append(transaction, frame, 0, length, isForced);
  }

  @Override
  public void await() {
    receiver.awaitForced();
  }

  @Override
  public byte[] ask(byte[] question) {
    return receiver.reply(question);
  }

  @Override
  public void force() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int lastStore() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long committed(long transaction) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void forgetCommitted() {
    throw new UnsupportedOperationException();
  }
}
