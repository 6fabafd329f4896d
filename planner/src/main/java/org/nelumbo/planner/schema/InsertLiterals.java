package org.nelumbo.planner.schema;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.prepare.Prepare.PreparingTable;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.nelumbo.planner.literal.ParameterizedLiteral;
import org.nelumbo.planner.type.NelumboTypeSystem;

/**
 * Casts the values in {@code INSERT ... VALUES} to the types of their columns. Calcite requires a
 * common type for the values of a column, and converts literals only if this type is close to that
 * of the column. In other cases each value is cast first: {@code ('11'), (NULL)} for a number, or
 * {@code (11), (NULL)}, {@code (TRUE), (a.b)} and {@code ('a '), ('ab')} for a string.
 */
public final class InsertLiterals {
  private enum Form {
    NULL,
    TEXT,
    NUMBER,
    /** A literal with an exponent. */
    APPROXIMATE,
    /** An expression, or a literal of another type; cast only to strings, dates and times. */
    OTHER
  }

  private final SqlCall values;

  private InsertLiterals(SqlCall values) {
    this.values = values;
  }

  /** Adds the necessary casts to the tree of a statement. */
  public static void convert(SqlInsert insert, CalciteCatalogReader reader) {
    if (insert.getSource().getKind() != SqlKind.VALUES
        || !(insert.getTargetTable() instanceof SqlIdentifier name)) {
      return;
    }
    PreparingTable table = reader.getTable(name.names);
    if (table != null) {
      InsertLiterals literals = new InsertLiterals((SqlCall) insert.getSource());
      literals.convert(insert.getTargetColumnList(), table.getRowType());
    }
  }

  private void convert(SqlNodeList columns, RelDataType row) {
    int count = columns == null ? row.getFieldCount() : columns.size();
    for (SqlNode each : values.getOperandList()) {
      if (each.getKind() != SqlKind.ROW || ((SqlCall) each).operandCount() != count) {
        return; // the validator reports the error
      }
    }
    for (int i = 0; i < count; i++) {
      RelDataTypeField field =
          columns == null
              ? row.getFieldList().get(i)
              : row.getField(columns.get(i).toString(), true, false);
      if (field != null) {
        convert(i, field.getType());
      }
    }
  }

  private void convert(int position, RelDataType type) {
    Set<Form> forms = EnumSet.noneOf(Form.class);
    for (SqlNode row : values.getOperandList()) {
      Form form = form(((SqlCall) row).operand(position));
      if (form != null) {
        forms.add(form);
      }
    }
    if (isNeeded(forms, type)) {
      for (SqlNode row : values.getOperandList()) {
        SqlNode value = ((SqlCall) row).operand(position);
        Form form = form(value);
        if (form != null && (form != Form.OTHER || castsAll(type))) {
          ((SqlCall) row).setOperand(position, cast(value, type));
        }
      }
    }
  }

  /** Returns true if values of several types may be stored in a column of a type. */
  private static boolean castsAll(RelDataType type) {
    return SqlTypeUtil.inCharFamily(type) || SqlTypeUtil.isDatetime(type);
  }

  private boolean isNeeded(Set<Form> forms, RelDataType type) {
    if (SqlTypeUtil.inCharFamily(type)) {
      // texts, too: their common type would be CHAR, which has no trailing blanks
      return values.operandCount() > 1 && !forms.isEmpty() && !forms.equals(Set.of(Form.NULL));
    } else if (SqlTypeUtil.isDatetime(type)
        && (forms.contains(Form.OTHER) || forms.contains(Form.NULL) && hasNumber(forms))) {
      return values.operandCount() > 1;
    } else if (SqlTypeUtil.isNumeric(type)) {
      return forms.contains(Form.TEXT)
          || forms.contains(Form.APPROXIMATE) && forms.size() > 1
          || forms.containsAll(Set.of(Form.NUMBER, Form.NULL)) && !SqlTypeUtil.isIntType(type);
    }
    return forms.contains(Form.TEXT) && !hasNumber(forms);
  }

  private static boolean hasNumber(Set<Form> forms) {
    return forms.contains(Form.NUMBER) || forms.contains(Form.APPROXIMATE);
  }

  private static Form form(SqlNode value) {
    SqlNode plain = value;
    if (value.getKind() == SqlKind.MINUS_PREFIX || value.getKind() == SqlKind.PLUS_PREFIX) {
      plain = ((SqlCall) value).operand(0);
    }
    SqlLiteral literal = ParameterizedLiteral.of(plain);
    if (literal == null) {
      boolean keeps =
          value instanceof SqlDynamicParam
              || value instanceof SqlCall call && call.getOperator() instanceof EngineValue;
      return keeps ? null : Form.OTHER;
    }
    SqlTypeName type = literal.getTypeName();
    if (type == SqlTypeName.NULL) {
      return plain == value ? Form.NULL : null;
    } else if (SqlTypeName.CHAR_TYPES.contains(type)) {
      return plain == value ? Form.TEXT : null;
    }
    boolean isNumber = SqlTypeName.NUMERIC_TYPES.contains(type);
    return !isNumber
        ? Form.OTHER
        : SqlTypeName.APPROX_TYPES.contains(type) ? Form.APPROXIMATE : Form.NUMBER;
  }

  private static SqlNode cast(SqlNode value, RelDataType type) {
    SqlParserPos place = value.getParserPosition();
    if (SqlTypeUtil.isInterval(type)) {
      return SqlStdOperatorTable.CAST.createCall(place, value, type.getIntervalQualifier());
    }
    SqlDataTypeSpec target =
        SqlTypeUtil.inCharFamily(type)
            ? new SqlDataTypeSpec(
                new SqlBasicTypeNameSpec(
                    SqlTypeName.VARCHAR, NelumboTypeSystem.MAX_STRING_LENGTH, place),
                place)
            : SqlTypeUtil.convertTypeToSpec(type);
    return SqlStdOperatorTable.CAST.createCall(place, List.of(value, target));
  }
}
