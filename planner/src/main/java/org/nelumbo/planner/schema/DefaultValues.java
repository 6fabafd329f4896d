package org.nelumbo.planner.schema;

import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.executor.row.Column;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.planner.catalog.TableEntry;

/** Replaces the keyword DEFAULT among the values of INSERT or UPDATE. */
public final class DefaultValues {
  private final CatalogTable table;
  private final TableEntry entry;

  /** Creates a replacement for a table. */
  public DefaultValues(CatalogTable table, TableEntry entry) {
    this.table = table;
    this.entry = entry;
  }

  /** Returns the written value, or the default of the column for DEFAULT. */
  public SqlNode value(int column, SqlNode written) {
    return written.getKind() == SqlKind.DEFAULT
        ? omitted(column, written.getParserPosition())
        : written;
  }

  /** Returns the default of a column. */
  public SqlNode omitted(int column, SqlParserPos position) {
    Column definition = entry.columns().get(column);
    if (entry.definition().generation(column) != null) {
      return GeneratedValue.INSTANCE.createCall(position);
    }
    if (definition.identity()) {
      return new NextIdentity(column).createCall(position);
    }
    return definition.defaultText() == null
        ? SqlLiteral.createNull(position)
        : SqlParsing.parseExpression(definition.defaultText());
  }

  /** Replaces DEFAULT in the rows of an INSERT ... VALUES. */
  public void replaceIn(SqlInsert insert) {
    if (insert.getSource().getKind() != SqlKind.VALUES) {
      return;
    }
    for (SqlNode each : ((SqlCall) insert.getSource()).getOperandList()) {
      if (each instanceof SqlCall row && each.getKind() == SqlKind.ROW) {
        for (int i = 0; i < row.operandCount(); i++) {
          int column = column(insert.getTargetColumnList(), i);
          if (column >= 0) {
            row.setOperand(i, value(column, row.operand(i)));
          }
        }
      }
    }
  }

  /** Replaces DEFAULT in the assignments of an UPDATE. */
  public void replaceIn(SqlUpdate update) {
    SqlNodeList values = update.getSourceExpressionList();
    for (int i = 0; i < values.size(); i++) {
      int column = column(update.getTargetColumnList(), i);
      if (column >= 0) {
        values.set(i, value(column, values.get(i)));
      }
    }
  }

  /**
   * Returns the column to which a value belongs, or -1 if there is none, which the validator
   * reports.
   */
  private int column(SqlNodeList names, int position) {
    if (names == null) {
      return position < entry.columns().size() ? position : -1;
    }
    if (position >= names.size()) {
      return -1;
    }
    String name = ((SqlIdentifier) names.get(position)).names.getLast();
    RelDataTypeField field = table.rowType().getField(name, true, false);
    return field == null ? -1 : field.getIndex();
  }
}
