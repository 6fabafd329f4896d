package org.nelumbo.planner.physical;

import java.util.List;
import java.util.Locale;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.nelumbo.executor.expr.Datetimes;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.Numbers;
import org.nelumbo.executor.expr.Texts;
import org.nelumbo.executor.row.ColumnType;
import org.nelumbo.executor.row.Kind;

/** Functions by name. */
final class FunctionTranslator {
  private final RexTranslator translator;

  FunctionTranslator(RexTranslator translator) {
    this.translator = translator;
  }

  Expression translate(RexCall call) {
    ColumnType type = RexTranslator.type(call);
    String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
    List<RexNode> nodes = call.getOperands();
    Expression result = text(name, type, nodes);
    if (result == null) {
      result = number(name, type, nodes);
    }
    if (result == null) {
      result = floating(name, type, nodes);
    }
    if (result == null) {
      result = temporal(name, type, nodes);
    }
    if (result == null) {
      throw RexTranslator.unsupported(call);
    }
    return result;
  }

  private Expression argument(List<RexNode> nodes, int i) {
    return i < nodes.size() ? translator.translate(nodes.get(i)) : null;
  }

  private Expression text(String name, ColumnType type, List<RexNode> nodes) {
    return switch (name) {
      case "UPPER" -> Texts.upper(type, argument(nodes, 0));
      case "LOWER" -> Texts.lower(type, argument(nodes, 0));
      case "INITCAP" -> Texts.initcap(type, argument(nodes, 0));
      case "||" -> Texts.concat(type, translator.translateAll(nodes));
      case "CONCAT" -> Texts.concatIgnoringNulls(type, translator.translateAll(nodes));
      case "SUBSTRING", "SUBSTR" ->
          Texts.substring(type, argument(nodes, 0), argument(nodes, 1), argument(nodes, 2));
      case "LEFT" -> Texts.left(type, argument(nodes, 0), argument(nodes, 1));
      case "RIGHT" -> Texts.right(type, argument(nodes, 0), argument(nodes, 1));
      case "CHAR_LENGTH", "CHARACTER_LENGTH", "LENGTH" ->
          Texts.charLength(type, argument(nodes, 0));
      case "OCTET_LENGTH" -> Texts.octetLength(type, argument(nodes, 0));
      case "POSITION" -> Texts.position(type, argument(nodes, 0), argument(nodes, 1));
      case "REPLACE" ->
          Texts.replace(type, argument(nodes, 0), argument(nodes, 1), argument(nodes, 2));
      case "TRIM" -> trim(type, nodes);
      case "LTRIM" -> Texts.trim(type, true, false, null, argument(nodes, 0));
      case "RTRIM" -> Texts.trim(type, false, true, null, argument(nodes, 0));
      case "USER", "CURRENT_USER", "SESSION_USER", "SYSTEM_USER" ->
          Expressions.literal(ColumnType.of(Kind.VARCHAR), (Object) "NELUMBO");
      default -> null;
    };
  }

  private Expression trim(ColumnType type, List<RexNode> nodes) {
    SqlTrimFunction.Flag flag =
        ((RexLiteral) nodes.getFirst()).getValueAs(SqlTrimFunction.Flag.class);
    return Texts.trim(
        type,
        flag != SqlTrimFunction.Flag.TRAILING,
        flag != SqlTrimFunction.Flag.LEADING,
        argument(nodes, 1),
        argument(nodes, 2));
  }

  private Expression number(String name, ColumnType type, List<RexNode> nodes) {
    return switch (name) {
      case "ABS" -> Numbers.abs(type, argument(nodes, 0));
      case "SIGN" -> Numbers.sign(type, argument(nodes, 0));
      case "FLOOR", "CEIL", "CEILING" -> floor(type, name.startsWith("CEIL"), nodes);
      case "ROUND" -> Numbers.round(type, argument(nodes, 0), argument(nodes, 1));
      case "TRUNCATE" -> Numbers.truncate(type, argument(nodes, 0), argument(nodes, 1));
      case "POWER" -> Numbers.power(type, argument(nodes, 0), argument(nodes, 1));
      case "ATAN2" -> Numbers.atan2(type, argument(nodes, 0), argument(nodes, 1));
      default -> null;
    };
  }

  private Expression floor(ColumnType type, boolean ceil, List<RexNode> nodes) {
    Expression operand = argument(nodes, 0);
    if (nodes.size() > 1) {
      return Datetimes.floor(TemporalTranslator.unit(nodes.get(1)), operand, ceil);
    }
    return ceil ? Numbers.ceil(type, operand) : Numbers.floor(type, operand);
  }

  private Expression floating(String name, ColumnType type, List<RexNode> nodes) {
    return switch (name) {
      case "SQRT" -> Numbers.sqrt(type, argument(nodes, 0));
      case "EXP" -> Numbers.exp(type, argument(nodes, 0));
      case "LN" -> Numbers.ln(type, argument(nodes, 0));
      case "LOG10" -> Numbers.log10(type, argument(nodes, 0));
      case "SIN" -> Numbers.floating(name, type, Math::sin, argument(nodes, 0));
      case "COS" -> Numbers.floating(name, type, Math::cos, argument(nodes, 0));
      case "TAN" -> Numbers.floating(name, type, Math::tan, argument(nodes, 0));
      case "COT" -> Numbers.floating(name, type, x -> 1 / Math.tan(x), argument(nodes, 0));
      case "ASIN" -> Numbers.floating(name, type, Math::asin, argument(nodes, 0));
      case "ACOS" -> Numbers.floating(name, type, Math::acos, argument(nodes, 0));
      case "ATAN" -> Numbers.floating(name, type, Math::atan, argument(nodes, 0));
      case "DEGREES" -> Numbers.floating(name, type, Math::toDegrees, argument(nodes, 0));
      case "RADIANS" -> Numbers.floating(name, type, Math::toRadians, argument(nodes, 0));
      case "CBRT" -> Numbers.floating(name, type, Math::cbrt, argument(nodes, 0));
      case "PI" ->
          Expressions.literal(ColumnType.of(Kind.DOUBLE), Double.doubleToRawLongBits(Math.PI));
      default -> null;
    };
  }

  private Expression temporal(String name, ColumnType type, List<RexNode> nodes) {
    return switch (name) {
      case "CURRENT_DATE" -> Datetimes.currentDate();
      case "CURRENT_TIME", "LOCALTIME" -> Datetimes.currentTime(type);
      case "CURRENT_TIMESTAMP", "LOCALTIMESTAMP" -> Datetimes.currentTimestamp(type);
      case "EXTRACT" ->
          Datetimes.extract(type, TemporalTranslator.unit(nodes.get(0)), argument(nodes, 1));
      case "TIMESTAMPADD" ->
          Datetimes.plus(
              argument(nodes, 2),
              Datetimes.interval(TemporalTranslator.unit(nodes.get(0)), argument(nodes, 1)),
              false);
      case "TIMESTAMPDIFF" ->
          Datetimes.between(
              type, TemporalTranslator.unit(nodes.get(0)), argument(nodes, 1), argument(nodes, 2));
      default -> null;
    };
  }
}
