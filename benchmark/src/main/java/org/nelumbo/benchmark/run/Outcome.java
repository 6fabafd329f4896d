package org.nelumbo.benchmark.run;

/** The outcome of a transaction that did not end in an error. */
public enum Outcome {
  /** Committed. */
  COMMITTED,
  /** Rolled back as the benchmark demands, such as New-Order with an unused item. */
  ROLLED_BACK
}
