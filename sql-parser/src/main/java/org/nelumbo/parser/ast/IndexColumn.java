package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** A column or expression of an index, with its direction. */
public final class IndexColumn extends AstNode {
  private final SqlNode key;
  private final boolean descending;

  public IndexColumn(SqlParserPos pos, SqlNode key, boolean descending) {
    super("INDEX COLUMN", SqlKind.OTHER_DDL, pos);
    this.key = key;
    this.descending = descending;
  }

  /** Returns the column or expression. */
  public SqlNode key() {
    return key;
  }

  /** Returns true if DESC was written. */
  public boolean descending() {
    return descending;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(key);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new IndexColumn(pos, children.get(0), descending);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    if (key instanceof SqlIdentifier) {
      key.unparse(writer, 0, 0);
    } else {
      SqlWriter.Frame frame = writer.startList("(", ")");
      key.unparse(writer, 0, 0);
      writer.endList(frame);
    }
    Writing.keywordIf(writer, descending, "DESC");
  }
}
