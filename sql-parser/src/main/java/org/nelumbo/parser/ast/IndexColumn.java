package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** A column of an index, with its direction. */
public final class IndexColumn extends AstNode {
  private final SqlIdentifier name;
  private final boolean descending;

  /** Made by the parser; the arguments are described at the getters. */
  public IndexColumn(SqlParserPos pos, SqlIdentifier name, boolean descending) {
    super("INDEX COLUMN", SqlKind.OTHER_DDL, pos);
    this.name = name;
    this.descending = descending;
  }

  /** The column. */
  public SqlIdentifier name() {
    return name;
  }

  /** Whether DESC was written. */
  public boolean descending() {
    return descending;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new IndexColumn(pos, (SqlIdentifier) children.get(0), descending);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    name.unparse(writer, 0, 0);
    Writing.keywordIf(writer, descending, "DESC");
  }
}
