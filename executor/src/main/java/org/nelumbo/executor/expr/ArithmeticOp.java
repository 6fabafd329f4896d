package org.nelumbo.executor.expr;

/** The five arithmetic operators. */
public enum ArithmeticOp {
  PLUS("+"),
  MINUS("-"),
  TIMES("*"),
  DIVIDE("/"),
  MOD("%");

  private final String symbol;

  ArithmeticOp(String symbol) {
    this.symbol = symbol;
  }

  /** Returns the SQL symbol. */
  public String symbol() {
    return symbol;
  }
}
