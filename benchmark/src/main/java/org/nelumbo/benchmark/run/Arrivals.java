package org.nelumbo.benchmark.run;

/** How the transactions of an open loop arrive. */
public enum Arrivals {
  /** At random, independent of each other, as those of many users do. */
  POISSON,
  /** At equal distances. */
  CONSTANT
}
