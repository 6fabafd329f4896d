package org.nelumbo.cli;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.nelumbo.executor.lock.remote.LockShards;

/**
 * Parses and formats sets of shards such as {@code 7,16-31,100-200/4}, where {@code 100-200/4}
 * means 100, 104, and so on.
 */
final class ShardRanges {
  private static final int STEPPED_MIN = 3;

  private ShardRanges() {}

  /**
   * Parses a set of shards.
   *
   * @throws IllegalArgumentException with the reason if the text is invalid
   */
  static BitSet parse(String text) {
    BitSet shards = new BitSet(LockShards.COUNT);
    for (String each : text.split(",", -1)) {
      if (!each.matches("[0-9]{1,4}(-[0-9]{1,4}(/[1-9][0-9]{0,3})?)?")) {
        throw new IllegalArgumentException(
            "'" + each + "' is not a range of shards; write 7 or 16-31, separated by commas");
      }
      String[] parts = each.split("[-/]", -1);
      int first = Integer.parseInt(parts[0]);
      int last = parts.length > 1 ? Integer.parseInt(parts[1]) : first;
      int step = parts.length > 2 ? Integer.parseInt(parts[2]) : 1;
      if (last >= LockShards.COUNT || first > last) {
        throw new IllegalArgumentException(
            "'" + each + "' is not a range of shards, which are 0 to " + (LockShards.COUNT - 1));
      }
      for (int shard = first; shard <= last; shard += step) {
        shards.set(shard);
      }
    }
    return shards;
  }

  /** Formats a set of shards, in the shortest form with ranges of equal steps. */
  static String text(BitSet shards) {
    List<String> runs = new ArrayList<>();
    int first = shards.nextSetBit(0);
    while (first >= 0) {
      int second = shards.nextSetBit(first + 1);
      int step = second < 0 ? 1 : second - first;
      int last = first;
      while (shards.nextSetBit(last + 1) == last + step) {
        last += step;
      }
      boolean isRun = step == 1 || (last - first) / step + 1 >= STEPPED_MIN;
      last = isRun ? last : first;
      runs.add(last == first ? "" + first : first + "-" + last + (step == 1 ? "" : "/" + step));
      first = shards.nextSetBit(last + 1);
    }
    return String.join(",", runs);
  }
}
