package org.nelumbo.tatp.nativeapi;

import org.nelumbo.executor.lock.LockMode;

/** Reads all numeric columns of a subscriber. Reads only; always succeeds. */
final class GetSubscriberData extends RegisterTransaction {
  private final int[] numbers;
  private long sum;

  GetSubscriberData(Register register) {
    super(register, true);
    int telephoneNumber = register.subscribers.column("sub_nbr");
    this.numbers =
        java.util.stream.IntStream.range(0, register.subscribers.layout().columnCount())
            .filter(column -> column != telephoneNumber)
            .toArray();
  }

  @Override
  public void draw() {
    inputs.drawSubscriber();
  }

  @Override
  protected boolean run() {
    session.get(register.subscribers, LockMode.READ, inputs.subscriber(), row);
    sum = 0;
    for (int column : numbers) {
      sum += register.subscribers.layout().getLong(row.bytes, row.offset, column);
    }
    return true;
  }

  /** Returns the sum of the numbers that the last run read. */
  long sum() {
    return sum;
  }
}
