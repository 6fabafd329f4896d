package org.nelumbo.sqlgen;

import java.util.List;
import java.util.SplittableRandom;

/** Random choices from a seed. */
final class Dice {
  private final SplittableRandom random;

  Dice(long seed) {
    this.random = new SplittableRandom(seed);
  }

  /** A number from 0 to {@code bound}, exclusive. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  <T> T any(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  @SafeVarargs
  final <T> T of(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  long seed() {
    return random.nextLong();
  }
}
