package org.nelumbo.tatp;

import java.util.ArrayList;
import java.util.List;

/** Lists the deviations of a run from the TATP description, which are printed with every result. */
final class Deviations {
  private Deviations() {}

  static List<String> of(TatpSettings settings) {
    List<String> result = new ArrayList<>();
    if (settings.subscribers() < TatpSettings.SUBSCRIBERS_SPEC) {
      result.add(
          "SMALL POPULATION: "
              + settings.subscribers()
              + " subscribers, the description begins at 100,000; compare with nothing");
    }
    if (settings.uniform()) {
      result.add("--uniform: subscribers drawn equally often, the description's draw is skewed");
    }
    result.add("number of clients, warm-up and measured time are as asked for, not 10 clients");
    result.add(
        "a transaction that meets a conflict is tried again with the same inputs; the description"
            + " allows no such error");
    if (settings.terminals().nativeApi()) {
      result.add(
          "native API: rows are read whole, but strings of which nothing is asked are not made;"
              + " INSERT_CALL_FORWARDING looks its foreign key up; a conflict fails at once"
              + " (no-wait)");
    }
    return result;
  }
}
