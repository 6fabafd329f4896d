package org.nelumbo.checker;

/** Reasons why one transaction precedes another. */
enum EdgeKind {
  /** The first transaction wrote a version, the second one a later version. */
  WW("ww"),
  /** The first transaction wrote a version that the second one read. */
  WR("wr"),
  /** The first transaction read a version, the second one wrote a later version. */
  RW("rw"),
  /** The first transaction read a range, the second one wrote a later version in it. */
  PREDICATE_RW("rw"),
  /** The client of the first transaction began the second one afterwards. */
  SESSION("session"),
  /** The second transaction began after the completion of the first one. */
  REAL_TIME("real time"),
  /** From the snapshot of a transaction to its commit, and through nodes without a transaction. */
  INSIDE("");

  static final int DATA =
      WW.bit() | WR.bit() | RW.bit() | PREDICATE_RW.bit() | EdgeKind.INSIDE.bit();

  private static final EdgeKind[] VALUES = values();

  private final String label;

  EdgeKind(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  int bit() {
    return 1 << ordinal();
  }

  boolean isAnti() {
    return this == RW || this == PREDICATE_RW;
  }

  static EdgeKind of(int ordinal) {
    return VALUES[ordinal];
  }
}
