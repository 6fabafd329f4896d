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
          "COMPAT: the prototypes' reduced variant (300 customers a district, 10,000 items, mix"
              + " 45/43/4/4/4, customers by number only, no rolled-back New-Orders, Order-Status"
              + " and Delivery of any order); compare with nothing but other runs with --compat");
    } else if (!settings.population().equals(Population.SPEC)) {
      result.add("COMPACT POPULATION: far smaller than the specification's; compare with nothing");
    }
    result.add("derived from TPC-C, not audited, not comparable with published TPC-C results");
    if (!settings.keyingThink()) {
      result.add(
          "no keying and think times (5.2.5): far more load a warehouse than 12.86 a minute");
    }
    result.add("no terminals on a network, no screens (2.2): latency is that of the JDBC calls");
    result.add("Delivery runs at once in the terminal (2.7.2 queues it), ten districts in one go");
    result.add("measured for less than two hours (5.5.2); rolled-back New-Orders are not counted");
    result.add("a transaction that meets a conflict is tried again with the same inputs");
    if (settings.terminals().nativeApi()) {
      result.add(
          "native API: rows are read whole, but columns only shown to the user are not turned into"
              + " strings; a conflict fails at once (no-wait)");
    }
    if (!settings.foreignKeys()) {
      result.add("foreign keys not declared");
    }
    return result;
  }
}
