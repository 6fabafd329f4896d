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

  /** The symbol that SQL has for it. */
  public String symbol() {
    return symbol;
  }
}
