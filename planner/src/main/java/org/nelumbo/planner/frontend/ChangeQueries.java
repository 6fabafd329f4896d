package org.nelumbo.planner.frontend;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.parser.ast.DeleteUsing;
import org.nelumbo.parser.ast.InsertOnConflict;
import org.nelumbo.parser.ast.MergeClause;
import org.nelumbo.parser.ast.MergeInto;
import org.nelumbo.parser.ast.UpdateFrom;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.schema.CatalogTable;
import org.nelumbo.planner.schema.DefaultValues;
import org.nelumbo.planner.type.NelumboTypeFactory;
import org.nelumbo.planner.type.SqlErrors;
import org.nelumbo.planner.validate.AssignedSelect;

/**
 * Builds queries for changes of rows that Calcite does not support. Such a query returns the rows
 * to be changed, followed by the new values and the conditions, in an order that the planner relies
 * on.
 */
public final class ChangeQueries {
  private static final String EXCLUDED = "EXCLUDED";

  private final TableEntry table;
  private final RelDataType rowType;
  private final SqlIdentifier name;
  private final DefaultValues defaults;
  private final List<SqlNode> items = new ArrayList<>();
  private final RelDataTypeFactory.Builder targets = NelumboTypeFactory.INSTANCE.builder();

  /**
   * Creates a builder for changes of a table.
   *
   * @param name the name of the table in the statement
   */
  public ChangeQueries(CatalogTable target, TableEntry table, SqlIdentifier name) {
    this.table = table;
    this.rowType = target.rowType();
    this.name = name;
    this.defaults = new DefaultValues(target, table);
  }

  /**
   * Returns a query of the rows of the table, followed by the values that UPDATE ... FROM assigns.
   */
  public SqlSelect of(UpdateFrom update) {
    SqlNode target = named(update.alias());
    addRow(update.alias());
    addAssignments(columns(update.columns()), update.values());
    return select(update.getParserPosition(), join(target, update.from()), update.condition());
  }

  /** Returns a query of the rows that DELETE ... USING deletes. */
  public SqlSelect of(DeleteUsing delete) {
    SqlNode target = named(delete.alias());
    addRow(delete.alias());
    return select(delete.getParserPosition(), join(target, delete.using()), delete.condition());
  }

  /**
   * Returns a query for MERGE: the matching row of the table for each source row, or NULLs, and
   * then the condition and the values of each clause.
   */
  public SqlSelect of(MergeInto merge) {
    addRow(merge.alias());
    for (SqlNode node : merge.clauses()) {
      MergeClause clause = (MergeClause) node;
      addCondition(clause.condition());
      if (clause.action() == MergeClause.Action.UPDATE) {
        addAssignments(columns(clause.columns()), clause.values());
      } else if (clause.action() == MergeClause.Action.INSERT) {
        addInserted(clause);
      }
    }
    SqlParserPos pos = merge.getParserPosition();
    SqlNode joined =
        new SqlJoin(
            pos,
            merge.source(),
            SqlLiteral.createBoolean(false, pos),
            JoinType.LEFT.symbol(pos),
            named(merge.alias()),
            JoinConditionType.ON.symbol(pos),
            merge.condition());
    return select(pos, joined, null);
  }

  /** Returns a query of the condition of ON CONFLICT DO UPDATE, followed by the assigned values. */
  public SqlSelect of(InsertOnConflict insert) {
    addCondition(insert.condition());
    addAssignments(columns(insert.updateColumns()), insert.updateValues());
    SqlParserPos pos = insert.getParserPosition();
    SqlNode excluded = as(name, new SqlIdentifier(EXCLUDED, pos));
    return select(pos, join(name, excluded), null);
  }

  /**
   * Returns the RETURNING clause as a query over the table.
   *
   * @param alias the alias of the table in the statement; null if it has none
   */
  public SqlSelect returning(SqlNodeList returned, SqlIdentifier alias) {
    return new SqlSelect(
        returned.getParserPosition(),
        null,
        returned,
        named(alias),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private SqlSelect select(SqlParserPos pos, SqlNode from, SqlNode condition) {
    return new AssignedSelect(pos, new SqlNodeList(items, pos), from, condition, targets.build());
  }

  private SqlNode named(SqlIdentifier alias) {
    return alias == null ? name : as(name, alias);
  }

  private static SqlNode as(SqlIdentifier table, SqlIdentifier alias) {
    SqlIdentifier own = (SqlIdentifier) table.clone(table.getParserPosition());
    return SqlStdOperatorTable.AS.createCall(alias.getParserPosition(), own, alias);
  }

  private static SqlNode join(SqlNode left, SqlNode right) {
    SqlParserPos pos = right.getParserPosition();
    return new SqlJoin(
        pos,
        left,
        SqlLiteral.createBoolean(false, pos),
        JoinType.COMMA.symbol(pos),
        right,
        JoinConditionType.NONE.symbol(pos),
        null);
  }

  private void addRow(SqlIdentifier alias) {
    String called = alias == null ? name.names.getLast() : alias.getSimple();
    items.add(
        SqlIdentifier.star(
            List.of(called, ""),
            name.getParserPosition(),
            List.of(name.getParserPosition(), name.getParserPosition())));
    rowType.getFieldList().forEach(field -> addTarget(field.getType()));
  }

  private void addTarget(RelDataType type) {
    targets.add("C" + targets.getFieldCount(), type);
  }

  private void addCondition(SqlNode condition) {
    items.add(condition == null ? SqlLiteral.createBoolean(true, SqlParserPos.ZERO) : condition);
    addTarget(NelumboTypeFactory.INSTANCE.createSqlType(SqlTypeName.BOOLEAN));
  }

  private void addAssignments(int[] columns, SqlNodeList values) {
    for (int i = 0; i < columns.length; i++) {
      items.add(defaults.value(columns[i], values.get(i)));
      addTarget(rowType.getFieldList().get(columns[i]).getType());
    }
  }

  private void addInserted(MergeClause clause) {
    int[] columns = clause.columns() == null ? all() : columns(clause.columns());
    SqlNodeList values = clause.values();
    if (values.size() != columns.length) {
      throw SqlErrors.at(
          ErrorCode.INVALID_STATEMENT,
          "INSERT names " + columns.length + " columns and gives " + values.size() + " values",
          values.getParserPosition());
    }
    SqlParserPos pos = clause.getParserPosition();
    SqlNode[] row = new SqlNode[table.columns().size()];
    for (int i = 0; i < columns.length; i++) {
      row[columns[i]] = values.get(i);
      if (table.definition().generation(columns[i]) != null
          && values.get(i).getKind() != SqlKind.DEFAULT) {
        throw SqlErrors.at(
            ErrorCode.INVALID_STATEMENT,
            "column "
                + table.columns().get(columns[i]).name()
                + " is generated and takes no value; leave it out or write DEFAULT",
            values.getParserPosition());
      }
    }
    for (int i = 0; i < row.length; i++) {
      items.add(
          defaults.value(i, row[i] == null ? SqlStdOperatorTable.DEFAULT.createCall(pos) : row[i]));
      addTarget(rowType.getFieldList().get(i).getType());
    }
  }

  private int[] all() {
    int[] columns = new int[table.columns().size()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = i;
    }
    return columns;
  }

  /** Returns the ordinals of assigned columns; each may occur only once. */
  public int[] columns(SqlNodeList names) {
    int[] ordinals = new int[names.size()];
    BitSet seen = new BitSet();
    for (int i = 0; i < ordinals.length; i++) {
      SqlIdentifier column = (SqlIdentifier) names.get(i);
      RelDataTypeField field = rowType.getField(column.names.getLast(), true, false);
      if (field == null) {
        throw SqlErrors.at(
            ErrorCode.NO_SUCH_COLUMN,
            "Column '" + column + "' not found in table '" + table.name() + "'",
            column.getParserPosition());
      }
      ordinals[i] = field.getIndex();
      if (seen.get(ordinals[i])) {
        throw SqlErrors.at(
            ErrorCode.INVALID_STATEMENT,
            "Column '" + column + "' is set twice",
            column.getParserPosition());
      }
      seen.set(ordinals[i]);
    }
    return ordinals;
  }
}
