package org.nelumbo.simulation.world;

/**
 * A stream of pseudo-random numbers (SplitMix64). Streams of one seed with different names are
 * independent: drawing more numbers from one stream does not change the others. Not thread-safe.
 */
public final class SimRandom {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
  private static final double DOUBLE_UNIT = 0x1.0p-53;

  private long state;

  public SimRandom(long seed) {
    this.state = seed;
  }

  /** Returns the stream with this name. */
  public static SimRandom of(long seed, String name) {
    return new SimRandom(mix(seed + GOLDEN_GAMMA) ^ mix(name.hashCode() * GOLDEN_GAMMA));
  }

  public long nextLong() {
    state += GOLDEN_GAMMA;
    return mix(state);
  }

  /** Returns a uniform number from 0 to {@code bound - 1}; the bound is positive. */
  public long nextLong(long bound) {
    return Math.unsignedMultiplyHigh(nextLong(), bound);
  }

  /** Returns a uniform number from 0 to {@code bound - 1}; the bound is positive. */
  public int nextInt(int bound) {
    return (int) nextLong(bound);
  }

  /** Returns a uniform number in [0, 1). */
  public double nextDouble() {
    return (nextLong() >>> 11) * DOUBLE_UNIT;
  }

  /** Returns true with this probability; draws no number if it is 0. */
  public boolean chance(double probability) {
    return probability > 0 && nextDouble() < probability;
  }

  /** Applies the finaliser of the generator: a bijection that spreads every bit. */
  public static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
