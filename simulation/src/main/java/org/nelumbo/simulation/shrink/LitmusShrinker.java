package org.nelumbo.simulation.shrink;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.nelumbo.simulation.litmus.LitmusCase;

/**
 * A shrinker of failing litmus cases: it removes transactions, then single steps, as long as the
 * rest still fails, on the same schedule or one of some others.
 */
public final class LitmusShrinker {
  private final Predicate<LitmusCase> fails;
  private final int seedsEach;

  /**
   * Creates a shrinker of cases.
   *
   * @param fails runs a case; returns true if it fails
   * @param seedsEach number of schedules tried for each smaller case
   */
  public LitmusShrinker(Predicate<LitmusCase> fails, int seedsEach) {
    this.fails = fails;
    this.seedsEach = seedsEach;
  }

  /** Returns the smallest failing case found; the case itself if no smaller one fails. */
  public LitmusCase shrink(LitmusCase failing) {
    LitmusCase best = failing;
    boolean progress = true;
    while (progress) {
      progress = false;
      for (LitmusCase smaller : smaller(best)) {
        LitmusCase found = firstFailing(smaller);
        if (found != null) {
          best = found;
          progress = true;
          break;
        }
      }
    }
    return best;
  }

  private static List<LitmusCase> smaller(LitmusCase what) {
    List<LitmusCase> all = new ArrayList<>(what.withoutOneTransaction());
    all.addAll(what.withoutOneStep());
    return all;
  }

  private LitmusCase firstFailing(LitmusCase smaller) {
    for (int i = 0; i < seedsEach; i++) {
      LitmusCase what = smaller.withSeed(smaller.seed() + i);
      if (fails.test(what)) {
        return what;
      }
    }
    return null;
  }
}
