package org.nelumbo.parser.dialect;

import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The refusal of a text that is not SQL of our dialect. The message says what was wrong and where,
 * and what would have been right.
 */
public final class SqlSyntaxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String problem;
  private final int line;
  private final int column;
  private final boolean unsupported;

  /**
   * A problem at a place.
   *
   * @param problem what is wrong, without the place
   * @param line from 1
   * @param column of the first wrong character, from 1
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

  /** SQL that other databases have, and what to write instead. */
  public static SqlSyntaxException unsupported(String advice, int line, int column) {
    return new SqlSyntaxException(
        "At line ", "this is not supported: " + advice, line, column, true);
  }

  /** SQL that other databases have, at the start of a node, and what to write instead. */
  public static SqlSyntaxException unsupported(SqlParserPos pos, String advice) {
    return unsupported(advice, Math.max(1, pos.getLineNum()), Math.max(1, pos.getColumnNum()));
  }

  /** A problem at the start of a node. */
  public static SqlSyntaxException at(SqlParserPos pos, String problem) {
    return new SqlSyntaxException(
        problem, Math.max(1, pos.getLineNum()), Math.max(1, pos.getColumnNum()));
  }

  /** Whether it is SQL that other databases have. */
  public boolean isUnsupported() {
    return unsupported;
  }

  /** What is wrong, without the place. */
  public String problem() {
    return problem;
  }

  /** The line of the first wrong character, from 1. */
  public int line() {
    return line;
  }

  /** The column of the first wrong character, from 1; a tab counts as one. */
  public int column() {
    return column;
  }
}
