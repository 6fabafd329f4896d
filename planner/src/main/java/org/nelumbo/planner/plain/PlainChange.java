package org.nelumbo.planner.plain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.literal.ParameterizedLiteral;
import org.nelumbo.planner.schema.CatalogTable;
import org.nelumbo.planner.schema.DefaultValues;
import org.nelumbo.planner.schema.NelumboCatalogReader;
import org.nelumbo.planner.validate.ParameterTypes;

/**
 * The fast path of UPDATE and DELETE of one table with {@link PlainExpressions} only, which needs
 * neither Calcite's validator nor a relational tree. If it is not certain that the result is that
 * of the full path, or if the statement has an error, Calcite handles the statement.
 */
public final class PlainChange {
  private final CatalogTable table;
  private final TableEntry entry;
  private final PlainParameters parameters;
  private final PlainExpressions expressions;
  private final RexBuilder rex;

  private PlainChange(
      CatalogTable table,
      TableEntry entry,
      PlainTables tables,
      ParameterTypes types,
      RexBuilder rex) {
    this.table = table;
    this.entry = entry;
    this.parameters = new PlainParameters(types);
    this.expressions = new PlainExpressions(tables, rex, parameters);
    this.rex = rex;
  }

  /**
   * Converts an UPDATE or DELETE. The syntax tree is not changed.
   *
   * @param types receives the types of the parameters
   * @param parameterCount number of parameters of the statement
   * @return null if the statement is not supported
   */
  public static TableChange convert(
      SqlNode statement,
      CatalogTable table,
      TableEntry entry,
      NelumboCatalogReader reader,
      ParameterTypes types,
      int parameterCount,
      RexBuilder rex) {
    SqlUpdate update = statement instanceof SqlUpdate found ? found : null;
    SqlDelete delete = statement instanceof SqlDelete found ? found : null;
    if (update == null && delete == null) {
      return null;
    }
    SqlIdentifier alias = update == null ? delete.getAlias() : update.getAlias();
    SqlNode target = update == null ? delete.getTargetTable() : update.getTargetTable();
    PlainTables tables = PlainTables.of((SqlIdentifier) target, alias, reader);
    if (tables == null) {
      return null;
    }
    PlainChange plain = new PlainChange(table, entry, tables, types, rex);
    TableChange change = update == null ? plain.of(delete) : plain.of(update);
    return change != null && plain.parameters.record(rex.getTypeFactory(), parameterCount)
        ? change
        : null;
  }

  private TableChange of(SqlDelete delete) {
    RexNode condition = expressions.where(delete.getCondition());
    return condition == null ? null : new TableChange(condition, new int[0], List.of());
  }

  private TableChange of(SqlUpdate update) {
    int[] columns = new int[update.getTargetColumnList().size()];
    List<RexNode> values = new ArrayList<>(columns.length);
    DefaultValues defaults = new DefaultValues(table, entry);
    for (int i = 0; i < columns.length; i++) {
      columns[i] = column(update.getTargetColumnList().get(i));
      RexNode value =
          columns[i] < 0
              ? null
              : value(
                  columns[i], defaults.value(columns[i], update.getSourceExpressionList().get(i)));
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    boolean areDistinct = Arrays.stream(columns).distinct().count() == columns.length;
    RexNode condition = areDistinct ? expressions.where(update.getCondition()) : null;
    return condition == null ? null : new TableChange(condition, columns, values);
  }

  /** Returns -1 if the column is unknown, generated, or an identity. */
  private int column(SqlNode name) {
    int column = PlainTables.column(table, name);
    boolean isPlain =
        column >= 0
            && !entry.columns().get(column).identity()
            && entry.definition().generation(column) == null;
    return isPlain ? column : -1;
  }

  private RexNode value(int column, SqlNode node) {
    RelDataType type = table.rowType().getFieldList().get(column).getType();
    if (PlainParameters.isMarker(node)) {
      return parameters.stored(rex, node, type);
    }
    SqlLiteral literal = ParameterizedLiteral.of(node);
    if (literal != null && literal.getTypeName() == SqlTypeName.NULL) {
      return rex.makeNullLiteral(rex.getTypeFactory().createTypeWithNullability(type, true));
    }
    RexNode value = expressions.convert(node);
    return value != null && isStorable(type, value, literal) ? value : null;
  }

  private static boolean isStorable(RelDataType column, RexNode value, SqlLiteral literal) {
    RelDataType type = value.getType();
    boolean isText = literal != null && SqlTypeUtil.inCharFamily(type);
    boolean isSame =
        value instanceof RexInputRef && type.getSqlTypeName() == column.getSqlTypeName();
    return isText
        || isSame
        || SqlTypeUtil.isNumeric(column) && SqlTypeUtil.isNumeric(type)
        || SqlTypeUtil.isBoolean(column) && SqlTypeUtil.isBoolean(type);
  }
}
