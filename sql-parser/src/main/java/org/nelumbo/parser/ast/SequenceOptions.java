package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.parser.dialect.SqlSyntaxException;

/** The options of CREATE SEQUENCE and ALTER SEQUENCE in any order; null if not given. */
public final class SequenceOptions {
  private Long start;
  private Long increment;
  private Long least;
  private Long greatest;
  private Boolean cycle;
  private boolean restarts;
  private Long restart;
  private SqlIdentifier owner;

  /** Returns the first number. */
  public Long start() {
    return start;
  }

  /** Sets START WITH. */
  public void setStart(long value) {
    start = value;
  }

  /** Returns the difference between consecutive numbers. */
  public Long increment() {
    return increment;
  }

  /** Sets INCREMENT BY. */
  public void setIncrement(SqlParserPos pos, long value) {
    if (value == 0) {
      throw SqlSyntaxException.at(pos, "a sequence cannot have INCREMENT BY 0");
    }
    increment = value;
  }

  /** Returns the least number. */
  public Long least() {
    return least;
  }

  /** Sets MINVALUE. */
  public void setLeast(long value) {
    least = value;
  }

  /** Returns the greatest number. */
  public Long greatest() {
    return greatest;
  }

  /** Sets MAXVALUE. */
  public void setGreatest(long value) {
    greatest = value;
  }

  /** Returns true if the sequence starts again when it is used up. */
  public Boolean cycle() {
    return cycle;
  }

  /** Sets CYCLE or NO CYCLE. */
  public void setCycle(boolean value) {
    cycle = value;
  }

  /** Returns true if RESTART is given. */
  public boolean restarts() {
    return restarts;
  }

  /** Returns the number of RESTART WITH, or null for the first number. */
  public Long restart() {
    return restart;
  }

  /** Sets RESTART or RESTART WITH. */
  public void setRestart(Long valueOrNull) {
    restarts = true;
    restart = valueOrNull;
  }

  /**
   * Returns the column that owns the sequence, {@code NONE} for none, or null if OWNED BY is not
   * given.
   */
  public SqlIdentifier owner() {
    return owner;
  }

  /** Sets OWNED BY. */
  public void setOwner(SqlIdentifier column) {
    owner = column;
  }

  void unparse(SqlWriter writer) {
    number(writer, "START WITH", start);
    number(writer, "INCREMENT BY", increment);
    number(writer, "MINVALUE", least);
    number(writer, "MAXVALUE", greatest);
    if (cycle != null) {
      writer.keyword(cycle ? "CYCLE" : "NO CYCLE");
    }
    Writing.keywordIf(writer, restarts, "RESTART");
    number(writer, "WITH", restart);
    Writing.clauseIf(writer, "OWNED BY", owner);
  }

  private static void number(SqlWriter writer, String keyword, Long value) {
    if (value != null) {
      writer.keyword(keyword);
      writer.print(Long.toString(value));
      writer.setNeedWhitespace(true);
    }
  }
}
