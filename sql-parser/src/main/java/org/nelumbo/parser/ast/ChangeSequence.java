package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/** CREATE SEQUENCE or ALTER SEQUENCE, depending on {@link #statementKind}. */
public final class ChangeSequence extends NelumboStatement {
  private final SqlIdentifier name;
  private final boolean tolerant;
  private final SqlDataTypeSpec type;
  private final SequenceOptions options;

  private ChangeSequence(
      StatementKind statementKind,
      SqlKind kind,
      SqlParserPos pos,
      SqlIdentifier name,
      boolean tolerant,
      SqlDataTypeSpec type,
      SequenceOptions options) {
    super(statementKind, kind, pos);
    this.name = name;
    this.tolerant = tolerant;
    this.type = type;
    this.options = options;
  }

  /**
   * Creates {@code CREATE SEQUENCE [IF NOT EXISTS] name [AS type] options}; the type may be null.
   */
  public static ChangeSequence create(
      SqlParserPos pos,
      SqlIdentifier name,
      boolean ifNotExists,
      SqlDataTypeSpec type,
      SequenceOptions options) {
    return new ChangeSequence(
        StatementKind.CREATE_SEQUENCE,
        SqlKind.CREATE_SEQUENCE,
        pos,
        name,
        ifNotExists,
        type,
        options);
  }

  /** Creates {@code ALTER SEQUENCE [IF EXISTS] name options}. */
  public static ChangeSequence alter(
      SqlParserPos pos, SqlIdentifier name, boolean ifExists, SequenceOptions options) {
    return new ChangeSequence(
        StatementKind.ALTER_SEQUENCE, SqlKind.ALTER_SEQUENCE, pos, name, ifExists, null, options);
  }

  /** Returns the name of the sequence, with or without its schema. */
  public SqlIdentifier name() {
    return name;
  }

  /** Returns true for IF NOT EXISTS or IF EXISTS. */
  public boolean tolerant() {
    return tolerant;
  }

  /** Returns the type of the numbers, or null if none is given. */
  public SqlDataTypeSpec type() {
    return type;
  }

  public SequenceOptions options() {
    return options;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name, type);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new ChangeSequence(
        statementKind(),
        getKind(),
        pos,
        (SqlIdentifier) children.get(0),
        tolerant,
        (SqlDataTypeSpec) children.get(1),
        options);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    boolean creates = statementKind() == StatementKind.CREATE_SEQUENCE;
    writer.keyword(statementKind().title());
    Writing.keywordIf(writer, tolerant, creates ? "IF NOT EXISTS" : "IF EXISTS");
    name.unparse(writer, 0, 0);
    Writing.clauseIf(writer, "AS", type);
    options.unparse(writer);
  }
}
