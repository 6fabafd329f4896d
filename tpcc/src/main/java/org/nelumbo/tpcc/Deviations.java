package org.nelumbo.tpcc;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.tpcc.data.Population;

/** Lists the deviations of a run from the specification, which are printed with every result. */
final class Deviations {
  private Deviations() {}

  static List<String> of(TpccSettings settings) {
    List<String> result = new ArrayList<>();
    if (settings.compat()) {
      result.add(
          "COMPAT: the prototypes' reduced variant (300 customers per district, 10,000 items, mix"
              + " 45/43/4/4/4, customers by number only, no rolled-back New-Orders, Order-Status"
              + " and Delivery of any order); compare only with other runs with --compat");
    } else if (!settings.population().equals(Population.SPEC)) {
      result.add(
          "COMPACT POPULATION: far smaller than specified; not comparable with any other result");
    }
    result.add("derived from TPC-C, not audited, not comparable with published TPC-C results");
    if (!settings.keyingThink()) {
      result.add(
          "no keying and think times (5.2.5): far more load per warehouse than 12.86 per minute");
    }
    result.add(
        "no terminals on a network, no screens (2.2): latency is the time of the JDBC calls");
    result.add("Delivery runs at once in the terminal (2.7.2 queues it), ten districts in one go");
    result.add("measured for less than two hours (5.5.2); rolled-back New-Orders are not counted");
    result.add("a transaction that fails with a conflict is retried with the same inputs");
    if (settings.terminals().nativeApi()) {
      result.add(
          "native API: whole rows are read, but columns only shown to the user are not converted to"
              + " strings; a conflict fails immediately (no-wait)");
    }
    if (!settings.foreignKeys()) {
      result.add("foreign keys not declared");
    }
    return result;
  }
}
