package org.nelumbo.executor.op.join;

/** The kinds of joins. */
public enum JoinType {
  INNER,
  /** Left rows without a match are returned with an absent right side. */
  LEFT,
  /** Right rows without a match are returned with an absent left side. */
  RIGHT,
  FULL,
  /** Left rows with a match, once each; the right side is not shown. */
  SEMI,
  /** Left rows without a match; the right side is not shown. */
  ANTI;

  /** Returns true if the columns of the right side are part of the result. */
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
