package org.nelumbo.smallbank;

import java.util.ArrayList;
import java.util.List;

/**
 * Lists the deviations of a run from the paper that defines SmallBank: Alomari, Cahill, Fekete,
 * Roehm, "The Cost of Serializability on Platforms That Use Snapshot Isolation", ICDE 2008.
 */
final class Deviations {
  private Deviations() {}

  static List<String> of(SmallBankSettings settings) {
    List<String> result = new ArrayList<>();
    if (settings.compat()) {
      result.add(
          "COMPAT: the prototypes' variant (two tables, no lookup by name, TransactSavings only"
              + " deposits); compare only with other runs with --compat");
    }
    result.add("SendPayment, the sixth transaction, is from later ports of the benchmark");
    result.add(
        "mix 15/15/15/25/15/15 with SendPayment at 25, the hot set and the fixed amounts are also"
            + " from later ports");
    if (!settings.compat()) {
      result.add("TransactSavings deposits or withdraws 20.20 with equal probability");
    }
    result.add("a transaction that fails with a conflict is retried with the same inputs");
    if (settings.terminals().nativeApi()) {
      result.add("native API: a conflict fails immediately (no-wait)");
    }
    return result;
  }
}
