package org.nelumbo.planner.function;

import java.util.Locale;
import java.util.Map;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Special date strings of PostgreSQL: {@code DATE 'today'}, {@code CAST('now' AS TIMESTAMP)}. They
 * denote the time of the statement if they are literals that become a date or a timestamp.
 */
public final class DateNames {
  /** The value of 'epoch', which is an instant and not a local time. */
  private static final String EPOCH = "1970-01-01 00:00:00";

  private static final Map<String, Integer> DAYS =
      Map.of("yesterday", -1, "today", 0, "tomorrow", 1);

  private DateNames() {}

  /**
   * Returns the meaning of a literal, or of a cast of one, with such a string; null for other
   * nodes.
   */
  public static SqlNode replacement(SqlNode node) {
    if (node instanceof SqlUnknownLiteral literal) {
      SqlTypeName type = SqlTypeName.get(literal.tag.replace(' ', '_'));
      return type == SqlTypeName.DATE || type == SqlTypeName.TIMESTAMP
          ? of(literal.getValueAs(String.class), type, literal.getParserPosition(), null)
          : null;
    }
    if (node.getKind() != SqlKind.CAST
        || !(((SqlCall) node).operand(0) instanceof SqlCharStringLiteral text)
        || !(((SqlCall) node).operand(1) instanceof SqlDataTypeSpec spec)
        || !(spec.getTypeNameSpec() instanceof SqlBasicTypeNameSpec name)) {
      return null;
    }
    SqlTypeName type = SqlTypeName.get(name.getTypeName().getSimple());
    boolean isDate =
        type == SqlTypeName.DATE
            || type == SqlTypeName.TIMESTAMP
            || type == SqlTypeName.TIMESTAMP_TZ
            || type == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
    return isDate ? of(text.getValueAs(String.class), type, node.getParserPosition(), spec) : null;
  }

  private static SqlNode of(
      String text, SqlTypeName type, SqlParserPos position, SqlDataTypeSpec spec) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    SqlNode value;
    if (word.equals("now")) {
      value = SqlStdOperatorTable.LOCALTIMESTAMP.createCall(position, number(6, position));
    } else if (word.equals("epoch")) {
      boolean local = type == SqlTypeName.DATE || type == SqlTypeName.TIMESTAMP;
      value = SqlLiteral.createCharString(local ? EPOCH : EPOCH + "+00", position);
      value = local ? cast(value, plain(SqlTypeName.TIMESTAMP, position), position) : value;
    } else if (DAYS.containsKey(word)) {
      value =
          SqlStdOperatorTable.PLUS.createCall(
              position,
              SqlStdOperatorTable.CURRENT_DATE.createCall(position),
              number(DAYS.get(word), position));
    } else {
      return null;
    }
    return cast(value, spec == null ? plain(type, position) : spec, position);
  }

  private static SqlNode number(int value, SqlParserPos position) {
    return SqlLiteral.createExactNumeric(Integer.toString(value), position);
  }

  private static SqlDataTypeSpec plain(SqlTypeName type, SqlParserPos position) {
    return new SqlDataTypeSpec(
        type == SqlTypeName.DATE
            ? new SqlBasicTypeNameSpec(type, position)
            : new SqlBasicTypeNameSpec(type, 6, position),
        position);
  }

  private static SqlNode cast(SqlNode value, SqlDataTypeSpec type, SqlParserPos position) {
    return SqlStdOperatorTable.CAST.createCall(position, value, type);
  }
}
