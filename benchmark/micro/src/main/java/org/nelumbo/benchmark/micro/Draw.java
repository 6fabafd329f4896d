package org.nelumbo.benchmark.micro;

/** Fast random numbers from a fixed seed: every run draws the same. */
final class Draw {
  private long state = 0x9E3779B97F4A7C15L;

  /** Uniform in [0, bound). */
  int below(int bound) {
    state ^= state << 13;
    state ^= state >>> 7;
    state ^= state << 17;
    return (int) ((state >>> 32) * bound >>> 32);
  }
}
