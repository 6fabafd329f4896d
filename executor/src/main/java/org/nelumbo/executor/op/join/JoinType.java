package org.nelumbo.executor.op.join;

/** Kinds of joins. */
public enum JoinType {
  INNER,
  /** Rows of the left side without match come with an absent right side. */
  LEFT,
  /** Rows of the right side without match come with an absent left side. */
  RIGHT,
  FULL,
  /** Rows of the left side with a match, once; the right side is not shown. */
  SEMI,
  /** Rows of the left side without match; the right side is not shown. */
  ANTI;

  /** Whether the right side's columns are part of the result. */
  public boolean showsRight() {
    return this != SEMI && this != ANTI;
  }

  boolean keepsLeft() {
    return this == LEFT || this == FULL;
  }

  boolean keepsRight() {
    return this == RIGHT || this == FULL;
  }
}
