package org.nelumbo.benchmark.micro;

import java.util.Arrays;
import org.nelumbo.dm.pool.Channel;

/**
 * The verbs of many transactions that all post the same sequence of verbs, at different addresses.
 * It contains the sequence once (kind, length, offset in the staging buffer), and the addresses of
 * each transaction. Transactions with another sequence are discarded.
 */
final class Trace {
  static final byte READ = 0;
  static final byte WRITE = 1;
  static final byte WRITE_LONG = 2;
  static final byte FLUSH = 3;
  private static final byte OTHER = 4;
  private static final int STEPS_MAX = 128;

  private final byte[] kinds = new byte[STEPS_MAX];
  private final int[] lengths = new int[STEPS_MAX];
  private final int[] places = new int[STEPS_MAX];
  private int steps;
  private long[] addresses = new long[1 << 16];
  private int transactions;

  private final byte[] newKinds = new byte[STEPS_MAX];
  private final int[] newLengths = new int[STEPS_MAX];
  private final int[] newPlaces = new int[STEPS_MAX];
  private final long[] newAddresses = new long[STEPS_MAX];
  private int newSteps;

  /** Records a verb of the current transaction. */
  void note(byte kind, long address, int place, int length) {
    if (newSteps < STEPS_MAX) {
      newKinds[newSteps] = kind;
      newLengths[newSteps] = length;
      newPlaces[newSteps] = place;
      newAddresses[newSteps++] = address;
    }
  }

  /** Records a verb that cannot be replayed, so that its transaction is discarded. */
  void noteOther() {
    note(OTHER, 0, 0, 0);
  }

  /**
   * Makes the sequence of the current transaction the expected one, and discards the transaction.
   */
  void take() {
    steps = newSteps;
    System.arraycopy(newKinds, 0, kinds, 0, steps);
    System.arraycopy(newLengths, 0, lengths, 0, steps);
    System.arraycopy(newPlaces, 0, places, 0, steps);
    newSteps = 0;
  }

  /** Ends a transaction, and keeps it if it has posted the expected sequence. */
  void end() {
    if (steps > 0 && isPattern()) {
      int at = transactions * steps;
      if (at + steps > addresses.length) {
        addresses = Arrays.copyOf(addresses, addresses.length * 2);
      }
      System.arraycopy(newAddresses, 0, addresses, at, steps);
      transactions++;
    }
    newSteps = 0;
  }

  private boolean isPattern() {
    return newSteps == steps
        && Arrays.equals(newKinds, 0, steps, kinds, 0, steps)
        && Arrays.equals(newLengths, 0, steps, lengths, 0, steps)
        && Arrays.equals(newPlaces, 0, steps, places, 0, steps);
  }

  int transactions() {
    return transactions;
  }

  /** Posts the verbs of a transaction again. */
  void replay(int transaction, Channel channel) {
    int from = transaction * steps;
    for (int i = 0; i < steps; i++) {
      switch (kinds[i]) {
        case READ -> channel.read(addresses[from + i], places[i], lengths[i]);
        case WRITE -> channel.write(addresses[from + i], places[i], lengths[i]);
        case WRITE_LONG -> channel.writeLong(addresses[from + i], from);
        default -> channel.flush();
      }
    }
  }

  /** Returns the sequence as text, such as {@code READ 128, flush}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < steps; i++) {
      text.append(text.isEmpty() ? "" : ", ");
      switch (kinds[i]) {
        case READ -> text.append("READ ").append(lengths[i]);
        case WRITE -> text.append("WRITE ").append(lengths[i]);
        case WRITE_LONG -> text.append("WRITE 8");
        default -> text.append("flush");
      }
    }
    return text.toString();
  }
}
