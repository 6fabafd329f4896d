package org.nelumbo.parser.dialect;

import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Thrown for a text that is not valid SQL of this dialect. The message contains the problem, its
 * position, and advice.
 */
public final class SqlSyntaxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String problem;
  private final int line;
  private final int column;
  private final boolean unsupported;

  /**
   * Creates an error at a position.
   *
   * @param problem the problem, without the position
   * @param line line number, from 1
   * @param column column of the first wrong character, from 1
   */
  public SqlSyntaxException(String problem, int line, int column) {
    this("Syntax error at line ", problem, line, column, false);
  }

  private SqlSyntaxException(
      String title, String problem, int line, int column, boolean unsupported) {
    super(title + line + ", column " + column + ": " + problem);
    this.problem = problem;
    this.line = line;
    this.column = column;
    this.unsupported = unsupported;
  }

  /** Returns an error for syntax of other databases, with the alternative as advice. */
  public static SqlSyntaxException unsupported(String advice, int line, int column) {
    return new SqlSyntaxException(
        "At line ", "this is not supported: " + advice, line, column, true);
  }

  /**
   * Returns an error for syntax of other databases at the start of a node, with the alternative as
   * advice.
   */
  public static SqlSyntaxException unsupported(SqlParserPos pos, String advice) {
    return unsupported(advice, Math.max(1, pos.getLineNum()), Math.max(1, pos.getColumnNum()));
  }

  /** Returns an error at the start of a node. */
  public static SqlSyntaxException at(SqlParserPos pos, String problem) {
    return new SqlSyntaxException(
        problem, Math.max(1, pos.getLineNum()), Math.max(1, pos.getColumnNum()));
  }

  /** Returns true for unsupported syntax of other databases. */
  public boolean isUnsupported() {
    return unsupported;
  }

  /** Returns the problem, without the position. */
  public String problem() {
    return problem;
  }

  /** Returns the line of the first wrong character, from 1. */
  public int line() {
    return line;
  }

  /** Returns the column of the first wrong character, from 1; a tab counts as one. */
  public int column() {
    return column;
  }
}
