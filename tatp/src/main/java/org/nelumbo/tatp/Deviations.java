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
              + " subscribers, the description begins at 100,000; not comparable with any other"
              + " result");
    }
    if (settings.uniform()) {
      result.add(
          "--uniform: subscribers are drawn uniformly; in the description the draw is skewed");
    }
    result.add("number of clients, warm-up and measured time are configurable, not 10 clients");
    result.add(
        "a transaction that fails with a conflict is retried with the same inputs; the description"
            + " allows no such error");
    if (settings.terminals().nativeApi()) {
      result.add(
          "native API: whole rows are read, but unused strings are not created;"
              + " INSERT_CALL_FORWARDING looks up its foreign key; a conflict fails immediately"
              + " (no-wait)");
    }
    return result;
  }
}
