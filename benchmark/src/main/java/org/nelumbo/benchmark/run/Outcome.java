package org.nelumbo.benchmark.run;

/** The outcome of a transaction that did not end in an error. */
public enum Outcome {
  /** Committed. */
  COMMITTED,
  /** Rolled back because the benchmark says so, such as New-Order's unused item. */
  ROLLED_BACK
}
