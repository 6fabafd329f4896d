package org.nelumbo.checker;

/** Why a transaction comes before another. */
enum EdgeKind {
  /** It wrote a version, the other a later one. */
  WW("ww"),
  /** It wrote a version that the other read. */
  WR("wr"),
  /** It read a version, the other wrote a later one. */
  RW("rw"),
  /** It read a range, the other wrote a later version in it. */
  PREDICATE_RW("rw"),
  /** Its client began the other afterwards. */
  SESSION("session"),
  /** The other began after it had completed. */
  REAL_TIME("real time"),
  /** From the snapshot of a transaction to its commit, and through nodes that stand for nobody. */
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
