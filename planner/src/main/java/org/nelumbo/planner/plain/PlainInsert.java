package org.nelumbo.planner.plain;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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
import org.nelumbo.error.NelumboException;
import org.nelumbo.parser.ast.OverridingInsert;
import org.nelumbo.planner.catalog.TableDefinition.IdentityDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.planner.literal.ParameterizedLiteral;
import org.nelumbo.planner.literal.TextLiterals;
import org.nelumbo.planner.schema.CatalogTable;
import org.nelumbo.planner.schema.DefaultValues;
import org.nelumbo.planner.schema.NextIdentity;
import org.nelumbo.planner.validate.ParameterTypes;

/**
 * The fast path of INSERT with rows of literals and parameter markers, which needs neither
 * Calcite's validator nor a relational tree. The values are the same as those of the full path. If
 * that is not certain, or if the statement has an error, no values are returned and Calcite handles
 * the statement.
 */
public final class PlainInsert {
  private final CatalogTable table;
  private final TableEntry entry;
  private final PlainParameters parameters;
  private final RexBuilder rex;

  /** The defaults of the columns that were needed so far. */
  private final RexNode[] defaults;

  private PlainInsert(CatalogTable table, TableEntry entry, ParameterTypes types, RexBuilder rex) {
    this.table = table;
    this.entry = entry;
    this.parameters = new PlainParameters(types);
    this.rex = rex;
    this.defaults = new RexNode[entry.columns().size()];
  }

  /**
   * Returns the values of the visible columns of each new row. The syntax tree is not changed.
   *
   * @param parameters receives the types of the parameters
   * @param parameterCount number of parameters of the statement
   * @return null if the statement is not supported
   */
  public static List<List<RexNode>> rows(
      SqlInsert insert,
      CatalogTable table,
      TableEntry entry,
      ParameterTypes parameters,
      int parameterCount,
      RexBuilder rex) {
    boolean isPlain =
        !insert.isUpsert()
            && OverridingInsert.overriding(insert) == null
            && insert.getSource().getKind() == SqlKind.VALUES
            && entry.definition().generated().isEmpty();
    if (!isPlain) {
      return null;
    }
    PlainInsert plain = new PlainInsert(table, entry, parameters, rex);
    int[] columns = plain.columns(insert.getTargetColumnList());
    List<List<RexNode>> rows =
        columns == null ? null : plain.rows(columns, (SqlCall) insert.getSource());
    return rows != null && plain.parameters.record(rex.getTypeFactory(), parameterCount)
        ? rows
        : null;
  }

  /** Returns the ordinals of the columns that have a value in each row; null if one is unknown. */
  private int[] columns(SqlNodeList names) {
    int count = entry.columns().size();
    if (names == null) {
      return IntStream.range(0, count).toArray();
    }
    int[] columns = new int[names.size()];
    boolean[] seen = new boolean[count];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = PlainTables.column(table, names.get(i));
      if (columns[i] < 0 || seen[columns[i]]) {
        return null;
      }
      seen[columns[i]] = true;
    }
    return columns;
  }

  private List<List<RexNode>> rows(int[] columns, SqlCall source) {
    List<List<RexNode>> rows = new ArrayList<>(source.operandCount());
    for (SqlNode row : source.getOperandList()) {
      List<RexNode> values = row.getKind() == SqlKind.ROW ? values(columns, (SqlCall) row) : null;
      if (values == null) {
        return null;
      }
      rows.add(values);
    }
    return rows;
  }

  private List<RexNode> values(int[] columns, SqlCall row) {
    if (row.operandCount() != columns.length) {
      return null;
    }
    RexNode[] values = new RexNode[entry.columns().size()];
    for (int i = 0; i < columns.length; i++) {
      SqlNode written = row.operand(i);
      values[columns[i]] =
          written.getKind() == SqlKind.DEFAULT
              ? omitted(columns[i])
              : isAlwaysGenerated(columns[i]) ? null : convert(columns[i], written);
      if (values[columns[i]] == null) {
        return null;
      }
    }
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        values[i] = omitted(i);
        if (values[i] == null) {
          return null;
        }
      }
    }
    return List.of(values);
  }

  /** Returns the default of a column; null if it is not supported. */
  private RexNode omitted(int column) {
    if (defaults[column] == null) {
      SqlNode value = new DefaultValues(table, entry).omitted(column, SqlParserPos.ZERO);
      defaults[column] =
          value instanceof SqlCall call && call.getOperator() instanceof NextIdentity identity
              ? rex.makeCall(type(column), identity, List.of())
              : isAlwaysGenerated(column) ? null : convert(column, value);
    }
    return defaults[column];
  }

  private RelDataType type(int column) {
    return table.rowType().getFieldList().get(column).getType();
  }

  private boolean isAlwaysGenerated(int column) {
    for (IdentityDefinition identity : entry.definition().identities()) {
      if (identity.column() == column && identity.always()) {
        return true;
      }
    }
    return false;
  }

  private RexNode convert(int column, SqlNode value) {
    RelDataType type = type(column);
    SqlLiteral literal = ParameterizedLiteral.of(value);
    if (literal == null) {
      return parameters.stored(rex, value, type);
    }
    return switch (literal.getTypeName()) {
      case NULL -> type.isNullable() ? rex.makeNullLiteral(type) : null;
      case DECIMAL -> SqlTypeUtil.isNumeric(type) ? literal(value, literal) : null;
      case BOOLEAN -> SqlTypeUtil.isBoolean(type) ? literal(value, literal) : null;
      case CHAR -> text(column, value, literal);
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
  private RexNode text(int column, SqlNode value, SqlLiteral literal) {
    RelDataType type = type(column);
    if (SqlTypeUtil.inCharFamily(type)) {
      return literal(value, literal);
    }
    boolean isConverted =
        SqlTypeUtil.isNumeric(type) || SqlTypeUtil.isDatetime(type) || SqlTypeUtil.isBoolean(type);
    return isConverted && (value instanceof ParameterizedLiteral || isValid(literal, column))
        ? rex.makeCast(
            rex.getTypeFactory().createTypeWithNullability(type, false), literal(value, literal))
        : null;
  }

  private boolean isValid(SqlLiteral text, int column) {
    try {
      TextLiterals.check(text, entry.columns().get(column).type());
      return true;
    } catch (NelumboException e) {
      return false;
    }
  }
}
