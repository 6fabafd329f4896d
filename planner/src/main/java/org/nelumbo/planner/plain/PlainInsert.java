package org.nelumbo.planner.plain;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.nelumbo.parser.ast.OverridingInsert;
import org.nelumbo.planner.catalog.TableDefinition.IdentityDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.literal.ParameterizedLiteral;
import org.nelumbo.planner.schema.CatalogTable;
import org.nelumbo.planner.schema.DefaultValues;
import org.nelumbo.planner.schema.NextIdentity;
import org.nelumbo.planner.validate.ParameterTypes;

/**
 * The fast path of INSERT with one row of literals and parameter markers, which needs neither
 * Calcite's validator nor a relational tree. The values are the same as those of the full path. If
 * that is not certain, or if the statement has an error, no values are returned and Calcite handles
 * the statement.
 */
public final class PlainInsert {
  private final CatalogTable table;
  private final TableEntry entry;
  private final PlainParameters parameters;
  private final RexBuilder rex;

  private PlainInsert(CatalogTable table, TableEntry entry, ParameterTypes types, RexBuilder rex) {
    this.table = table;
    this.entry = entry;
    this.parameters = new PlainParameters(types);
    this.rex = rex;
  }

  /**
   * Returns the values of the visible columns of the new row. The syntax tree is not changed.
   *
   * @param parameters receives the types of the parameters
   * @param parameterCount number of parameters of the statement
   * @return null if the statement is not supported
   */
  public static List<RexNode> values(
      SqlInsert insert,
      CatalogTable table,
      TableEntry entry,
      ParameterTypes parameters,
      int parameterCount,
      RexBuilder rex) {
    SqlNodeList written = row(insert);
    if (written == null || !entry.definition().generated().isEmpty()) {
      return null;
    }
    PlainInsert plain = new PlainInsert(table, entry, parameters, rex);
    List<RexNode> values = plain.values(insert.getTargetColumnList(), written);
    return values != null && plain.parameters.record(rex.getTypeFactory(), parameterCount)
        ? values
        : null;
  }

  /** Returns the only row of VALUES, or null. */
  private static SqlNodeList row(SqlInsert insert) {
    boolean isOne =
        !insert.isUpsert()
            && OverridingInsert.overriding(insert) == null
            && insert.getSource().getKind() == SqlKind.VALUES
            && ((SqlCall) insert.getSource()).operandCount() == 1
            && ((SqlCall) insert.getSource()).operand(0).getKind() == SqlKind.ROW;
    return isOne
        ? new SqlNodeList(
            ((SqlCall) ((SqlCall) insert.getSource()).operand(0)).getOperandList(),
            SqlParserPos.ZERO)
        : null;
  }

  private List<RexNode> values(SqlNodeList columns, SqlNodeList written) {
    int count = entry.columns().size();
    SqlNode[] given = new SqlNode[count];
    int names = columns == null ? count : columns.size();
    if (names != written.size()) {
      return null;
    }
    for (int i = 0; i < names; i++) {
      int column = columns == null ? i : PlainTables.column(table, columns.get(i));
      if (column < 0 || given[column] != null) {
        return null;
      }
      given[column] = written.get(i);
    }
    DefaultValues defaults = new DefaultValues(table, entry);
    List<RexNode> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      SqlNode value =
          given[i] == null ? defaults.omitted(i, SqlParserPos.ZERO) : defaults.value(i, given[i]);
      RexNode converted = convert(i, value);
      if (converted == null) {
        return null;
      }
      values.add(converted);
    }
    return values;
  }

  private RexNode convert(int column, SqlNode value) {
    RelDataType type = table.rowType().getFieldList().get(column).getType();
    if (value instanceof SqlCall call && call.getOperator() instanceof NextIdentity identity) {
      return rex.makeCall(type, identity, List.of());
    }
    return isAlwaysGenerated(column) ? null : convert(type, value);
  }

  private boolean isAlwaysGenerated(int column) {
    for (IdentityDefinition identity : entry.definition().identities()) {
      if (identity.column() == column && identity.always()) {
        return true;
      }
    }
    return false;
  }

  private RexNode convert(RelDataType type, SqlNode value) {
    SqlLiteral literal = ParameterizedLiteral.of(value);
    if (literal == null) {
      return parameters.stored(rex, value, type);
    }
    return switch (literal.getTypeName()) {
      case NULL -> type.isNullable() ? rex.makeNullLiteral(type) : null;
      case DECIMAL -> SqlTypeUtil.isNumeric(type) ? literal(value, literal) : null;
      case BOOLEAN -> SqlTypeUtil.isBoolean(type) ? literal(value, literal) : null;
      case CHAR -> text(type, value, literal);
      default -> null;
    };
  }

  private RexNode literal(SqlNode value, SqlLiteral literal) {
    if (value instanceof ParameterizedLiteral parameterized) {
      return parameters.literal(rex, parameterized);
    }
    return PlainExpressions.literal(rex, literal);
  }

  /** A text that is no literal of its column's type, such as 'today', is left to Calcite. */
  private RexNode text(RelDataType type, SqlNode value, SqlLiteral literal) {
    if (SqlTypeUtil.inCharFamily(type)) {
      return literal(value, literal);
    }
    boolean isConverted =
        SqlTypeUtil.isNumeric(type) || SqlTypeUtil.isDatetime(type) || SqlTypeUtil.isBoolean(type);
    return isConverted && value instanceof ParameterizedLiteral
        ? rex.makeCast(
            rex.getTypeFactory().createTypeWithNullability(type, false), literal(value, literal))
        : null;
  }
}
