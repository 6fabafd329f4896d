package org.nelumbo.benchmark.run;

/** The arrival process of an open loop. */
public enum Arrivals {
  /** At random, independent of each other, as those of many users do. */
  POISSON,
  /** At equal distances. */
  CONSTANT
}
