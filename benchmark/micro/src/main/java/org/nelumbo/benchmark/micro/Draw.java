package org.nelumbo.benchmark.micro;

/** A fast generator of random numbers with a fixed seed: every run draws the same numbers. */
final class Draw {
  private long state = 0x9E3779B97F4A7C15L;

  /** Returns a uniform number in [0, bound). */
  int below(int bound) {
    state ^= state << 13;
    state ^= state >>> 7;
    state ^= state << 17;
    return (int) ((state >>> 32) * bound >>> 32);
  }
}
