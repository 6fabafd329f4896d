package org.nelumbo.parser.ast;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * {@code FOREIGN KEY (columns) REFERENCES table (columns) [ON DELETE action] [ON UPDATE action]}.
 */
public final class ForeignKeyConstraint extends Constraint {
  private final SqlNodeList columns;
  private final SqlIdentifier referencedTable;
  private final SqlNodeList referencedColumns;
  private final ReferentialAction onDelete;
  private final ReferentialAction onUpdate;

  public ForeignKeyConstraint(
      SqlParserPos pos,
      SqlIdentifier name,
      SqlNodeList columns,
      SqlIdentifier referencedTable,
      SqlNodeList referencedColumns,
      ReferentialAction onDelete,
      ReferentialAction onUpdate) {
    super("FOREIGN KEY", SqlKind.FOREIGN_KEY, pos, name);
    this.columns = columns;
    this.referencedTable = referencedTable;
    this.referencedColumns = referencedColumns;
    this.onDelete = onDelete;
    this.onUpdate = onUpdate;
  }

  /** Returns the referencing columns. */
  public SqlNodeList columns() {
    return columns;
  }

  /** Returns the referenced table. */
  public SqlIdentifier referencedTable() {
    return referencedTable;
  }

  /** Returns the referenced columns, or null for the primary key. */
  public SqlNodeList referencedColumns() {
    return referencedColumns;
  }

  /** Returns the action for a deleted referenced row. */
  public ReferentialAction onDelete() {
    return onDelete;
  }

  /** Returns the action for an updated referenced key. */
  public ReferentialAction onUpdate() {
    return onUpdate;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(name(), columns, referencedTable, referencedColumns);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new ForeignKeyConstraint(
        pos,
        (SqlIdentifier) children.get(0),
        (SqlNodeList) children.get(1),
        (SqlIdentifier) children.get(2),
        (SqlNodeList) children.get(3),
        onDelete,
        onUpdate);
  }

  @Override
  void unparseBody(SqlWriter writer, boolean withColumns) {
    if (withColumns) {
      writer.keyword("FOREIGN KEY");
      Writing.parenthesized(writer, columns);
    }
    writer.keyword("REFERENCES");
    referencedTable.unparse(writer, 0, 0);
    Writing.parenthesizedIf(writer, referencedColumns);
    if (onDelete != ReferentialAction.NO_ACTION) {
      writer.keyword("ON DELETE " + onDelete.sql());
    }
    if (onUpdate != ReferentialAction.NO_ACTION) {
      writer.keyword("ON UPDATE " + onUpdate.sql());
    }
  }
}
