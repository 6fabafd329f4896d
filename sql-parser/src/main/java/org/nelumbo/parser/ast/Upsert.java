package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.session.StatementKind;

/**
 * The upsert statements of other databases, in which the conflict key or the updated columns are
 * implied by the table: ON DUPLICATE KEY UPDATE and REPLACE of MySQL, MERGE ... KEY of H2.
 */
public final class Upsert extends NelumboStatement {
  private static final String EXCLUDED = "EXCLUDED";

  private final SqlInsert insert;
  private final SqlNodeList key;
  private final SqlNodeList columns;
  private final SqlNodeList values;
  private final boolean whole;

  private Upsert(
      SqlParserPos pos,
      SqlInsert insert,
      SqlNodeList key,
      SqlNodeList columns,
      SqlNodeList values,
      boolean whole) {
    super(StatementKind.INSERT, SqlKind.OTHER, pos);
    this.insert = insert;
    this.key = key;
    this.columns = columns;
    this.values = values;
    this.whole = whole;
  }

  /** Creates INSERT ... ON DUPLICATE KEY UPDATE. */
  public static Upsert onDuplicateKey(
      SqlParserPos pos, SqlInsert insert, SqlNodeList columns, SqlNodeList values) {
    return new Upsert(pos, insert, null, columns, values, false);
  }

  /** Creates REPLACE INTO, which replaces the existing row completely. */
  public static Upsert replacing(SqlParserPos pos, SqlInsert insert) {
    return new Upsert(pos, insert, null, null, null, true);
  }

  /** Creates MERGE INTO t (columns) KEY (key) ...; the key may be null. */
  public static Upsert merging(SqlParserPos pos, SqlInsert insert, SqlNodeList keyOrNull) {
    return new Upsert(pos, insert, keyOrNull, null, null, false);
  }

  /** Returns this statement with another source and other values. */
  Upsert with(SqlInsert newInsert, SqlNodeList newValues) {
    return new Upsert(getParserPosition(), newInsert, key, columns, newValues, whole);
  }

  /** Returns a column of EXCLUDED, the row that could not be inserted. */
  public static SqlIdentifier excluded(SqlIdentifier column) {
    return new SqlIdentifier(List.of(EXCLUDED, column.names.getLast()), column.getParserPosition());
  }

  /** Returns the INSERT without the conflict clause. */
  public SqlInsert insert() {
    return insert;
  }

  /** Returns the columns of the key, or null if the table determines them. */
  public SqlNodeList key() {
    return key;
  }

  /** Returns the columns that are updated, or null for those that are inserted. */
  public SqlNodeList columns() {
    return columns;
  }

  /**
   * Returns the values of these columns in the same order, or null for those that could not be
   * inserted.
   */
  public SqlNodeList values() {
    return values;
  }

  /** Returns true if columns that are not inserted get their defaults. */
  public boolean whole() {
    return whole;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(insert, key, columns, values);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new Upsert(
        pos,
        (SqlInsert) children.get(0),
        (SqlNodeList) children.get(1),
        (SqlNodeList) children.get(2),
        (SqlNodeList) children.get(3),
        whole);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    if (columns == null) {
      writer.keyword(whole ? "REPLACE INTO" : "MERGE INTO");
      insert.getTargetTable().unparse(writer, 0, 0);
      Writing.parenthesizedIf(writer, insert.getTargetColumnList());
      if (key != null) {
        writer.keyword("KEY");
        Writing.parenthesizedIf(writer, key);
      }
      insert.getSource().unparse(writer, 0, 0);
      return;
    }
    insert.unparse(writer, 0, 0);
    writer.keyword("ON DUPLICATE KEY UPDATE");
    Writing.assignments(writer, columns, values);
  }
}
