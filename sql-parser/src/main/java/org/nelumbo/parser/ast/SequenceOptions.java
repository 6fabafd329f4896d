package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.parser.dialect.SqlSyntaxException;

/** The options of CREATE SEQUENCE and ALTER SEQUENCE in any order; null where not said. */
public final class SequenceOptions {
  private Long start;
  private Long increment;
  private Long least;
  private Long greatest;
  private Boolean cycle;
  private boolean restarts;
  private Long restart;
  private SqlIdentifier owner;

  /** The first number. */
  public Long start() {
    return start;
  }

  /** START WITH. */
  public void setStart(long value) {
    start = value;
  }

  /** The difference of two numbers. */
  public Long increment() {
    return increment;
  }

  /** INCREMENT BY. */
  public void setIncrement(SqlParserPos pos, long value) {
    if (value == 0) {
      throw SqlSyntaxException.at(pos, "a sequence cannot have INCREMENT BY 0");
    }
    increment = value;
  }

  /** The least number. */
  public Long least() {
    return least;
  }

  /** MINVALUE. */
  public void setLeast(long value) {
    least = value;
  }

  /** The greatest number. */
  public Long greatest() {
    return greatest;
  }

  /** MAXVALUE. */
  public void setGreatest(long value) {
    greatest = value;
  }

  /** Whether it begins again when it is used up. */
  public Boolean cycle() {
    return cycle;
  }

  /** CYCLE or NO CYCLE. */
  public void setCycle(boolean value) {
    cycle = value;
  }

  /** Whether RESTART is said. */
  public boolean restarts() {
    return restarts;
  }

  /** The number it restarts with; null: the first one. */
  public Long restart() {
    return restart;
  }

  /** RESTART, RESTART WITH. */
  public void setRestart(Long valueOrNull) {
    restarts = true;
    restart = valueOrNull;
  }

  /** The column that it goes with; {@code NONE} for none; null if that is not said. */
  public SqlIdentifier owner() {
    return owner;
  }

  /** OWNED BY. */
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
