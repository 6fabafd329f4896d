package org.nelumbo.smallbank.terminal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The customers of the bank, numbered from 0; the first ones are the hot set.
 *
 * @param count number of customers
 * @param hot size of the hot set
 * @param hotPercent percentage of transactions that take all their customers from the hot set; the
 *     others take theirs from all customers
 */
public record Customers(int count, int hot, int hotPercent) {
  /** Length of a name, as in the column of the ports of the benchmark. */
  public static final int NAME_LENGTH = 64;

  /** Returns the name of a customer: its number with leading zeros. */
  public static String name(int customer) {
    byte[] name = new byte[NAME_LENGTH];
    Arrays.fill(name, (byte) '0');
    int at = NAME_LENGTH;
    for (int rest = customer; rest > 0; rest /= 10) {
      name[--at] = (byte) ('0' + rest % 10);
    }
    return new String(name, StandardCharsets.ISO_8859_1);
  }
}
