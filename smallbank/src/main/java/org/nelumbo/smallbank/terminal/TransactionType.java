package org.nelumbo.smallbank.terminal;

import java.util.Arrays;
import java.util.List;

/** The six types with their shares of a hundred. Ordinals are the indexes a terminal draws. */
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

  /** The names of the paper that defines SmallBank, in the order of the constants. */
  public static List<String> titles() {
    return Arrays.stream(values()).map(type -> type.title).toList();
  }

  /** Shares of each type, in the order of the constants. */
  public static int[] shares() {
    return Arrays.stream(values()).mapToInt(type -> type.share).toArray();
  }
}
