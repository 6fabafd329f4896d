package org.nelumbo.executor.expr;

/** The six comparison operators. */
public enum CompareOp {
  EQ("="),
  NE("<>"),
  LT("<"),
  LE("<="),
  GT(">"),
  GE(">=");

  private final String symbol;

  CompareOp(String symbol) {
    this.symbol = symbol;
  }

  /** Returns the SQL symbol. */
  public String symbol() {
    return symbol;
  }

  /** Returns true if the comparison holds for two values in that order (negative, 0, positive). */
  public boolean holds(int order) {
    return switch (this) {
      case EQ -> order == 0;
      case NE -> order != 0;
      case LT -> order < 0;
      case LE -> order <= 0;
      case GT -> order > 0;
      case GE -> order >= 0;
    };
  }

  /** Returns true if the comparison holds for two numbers. */
  boolean holds(long left, long right) {
    return switch (this) {
      case EQ -> left == right;
      case NE -> left != right;
      case LT -> left < right;
      case LE -> left <= right;
      case GT -> left > right;
      case GE -> left >= right;
    };
  }

  /** Returns the comparison with its sides exchanged: {@code a < b} is {@code b > a}. */
  CompareOp mirrored() {
    return switch (this) {
      case LT -> GT;
      case LE -> GE;
      case GT -> LT;
      case GE -> LE;
      default -> this;
    };
  }
}
