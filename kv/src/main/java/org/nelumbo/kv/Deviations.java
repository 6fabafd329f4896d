package org.nelumbo.kv;

import java.util.ArrayList;
import java.util.List;

/** Lists the deviations of a run from LOTUS, section 8.2, which are printed with every result. */
final class Deviations {
  private static final int KEYS_PAPER = 20_000_000;

  private Deviations() {}

  static List<String> of(KvSettings settings) {
    List<String> result = new ArrayList<>();
    if (settings.keys() != KEYS_PAPER) {
      result.add(settings.keys() + " keys; the paper has 20 million");
    }
    result.add(
        "the value of 40 bytes is stored in five columns of 8 bytes, so that checks can read it");
    result.add("an update reads, changes and writes the value in one statement");
    if (settings.terminals().nativeApi()) {
      result.add("native API: a conflict fails immediately (no-wait)");
    }
    return result;
  }
}
