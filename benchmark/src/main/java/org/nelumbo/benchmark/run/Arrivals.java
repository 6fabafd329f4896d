package org.nelumbo.benchmark.run;

/** The arrival process of an open loop. */
public enum Arrivals {
  /** Random and independent arrivals, like those of many users. */
  POISSON,
  /** Arrivals at equal distances. */
  CONSTANT
}
