package org.nelumbo.ycsb;

import java.util.ArrayList;
import java.util.List;

/**
 * Lists the deviations of a run from YCSB's core workloads, which are printed with every result.
 */
final class Deviations {
  private Deviations() {}

  static List<String> of(YcsbSettings settings) {
    List<String> result = new ArrayList<>();
    result.add("each operation is a committed transaction at the requested isolation level");
    result.add("the mix is exact in every hundred operations; YCSB draws each at random");
    result.add(
        "the Zipfian draw is exact and scattered one to one; YCSB approximates it and scatters it"
            + " with a hash under which some records share a rank and some have none");
    switch (settings.workload()) {
      case D -> result.add("ages are drawn up to the number of records loaded");
      case E -> result.add("scans begin at loaded records, not at inserted ones");
      case F -> result.add("a read-modify-write locks the record when it reads it (FOR UPDATE)");
      default -> {}
    }
    if (settings.terminals().nativeApi()) {
      result.add("native API: a conflict fails immediately (no-wait)");
    }
    return result;
  }
}
