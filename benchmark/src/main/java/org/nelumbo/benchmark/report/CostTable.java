package org.nelumbo.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.cost.TypeCost;

/** The table of the costs of transactions other than time: means over committed transactions. */
public final class CostTable {
  private CostTable() {}

  /** Returns the lines of the table, or no lines if nothing was counted. */
  public static List<String> lines(RunResult result) {
    if (result.costs().isEmpty()) {
      return List.of();
    }
    TextTable table =
        new TextTable(
            "mean of committed",
            "counted",
            "round trips",
            "READ",
            "WRITE",
            "CAS",
            "FAA",
            "bytes in",
            "bytes out");
    for (TypeCost cost : result.costs()) {
      table.row(
          List.of(
              cost.name(),
              Numbers.grouped(cost.transactions()),
              Numbers.tenths(cost.roundTrips()),
              Numbers.tenths(cost.reads()),
              Numbers.tenths(cost.writes()),
              Numbers.tenths(cost.compareAndSwaps()),
              Numbers.tenths(cost.fetchAndAdds()),
              Numbers.whole(cost.bytesIn()),
              Numbers.whole(cost.bytesOut())));
    }
    return new ArrayList<>(table.lines());
  }
}
