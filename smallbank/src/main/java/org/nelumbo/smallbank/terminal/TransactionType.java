package org.nelumbo.smallbank.terminal;

import java.util.Arrays;
import java.util.List;

/**
 * The six transaction types with their shares in percent. Ordinals are the indexes that a terminal
 * draws.
 */
public enum TransactionType {
  AMALGAMATE("Amalgamate", 15),
  BALANCE("Balance", 15),
  DEPOSIT_CHECKING("DepositChecking", 15),
  SEND_PAYMENT("SendPayment", 25),
  TRANSACT_SAVINGS("TransactSavings", 15),
  WRITE_CHECK("WriteCheck", 15);

  private final String title;
  private final int share;

  TransactionType(String title, int share) {
    this.title = title;
    this.share = share;
  }

  /**
   * Returns the names in the paper that defines SmallBank, in the order of the constants.
   * SendPayment is from later ports.
   */
  public static List<String> titles() {
    return Arrays.stream(values()).map(type -> type.title).toList();
  }

  /** Returns the share of each type, in the order of the constants. */
  public static int[] shares() {
    return Arrays.stream(values()).mapToInt(type -> type.share).toArray();
  }
}
