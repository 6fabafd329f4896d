package org.nelumbo.planner.rex;

import java.util.List;
import java.util.Locale;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.nelumbo.executor.expr.DatetimeFunctions;
import org.nelumbo.executor.expr.Expression;
import org.nelumbo.executor.expr.Expressions;
import org.nelumbo.executor.expr.IntegerFunctions;
import org.nelumbo.executor.expr.LibraryTextFunctions;
import org.nelumbo.executor.expr.NumericFunctions;
import org.nelumbo.executor.expr.QuotingFunctions;
import org.nelumbo.executor.expr.RandomFunctions;
import org.nelumbo.executor.expr.SessionFunctions;
import org.nelumbo.executor.expr.TextFunctions;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.function.AddedFunctions;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Translates function calls by name. */
final class FunctionTranslator {
  private final RexTranslator translator;

  private final String schema;

  FunctionTranslator(RexTranslator translator, String schema) {
    this.translator = translator;
    this.schema = schema;
  }

  Expression translate(RexCall call) {
    ColumnType type = RexTranslator.type(call);
    String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
    List<RexNode> nodes = call.getOperands();
    Expression result = text(name, type, name.equals("||") ? RexTranslator.flatten(call) : nodes);
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
      result = library(name, type, nodes);
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
      case "UPPER" -> TextFunctions.upper(type, argument(nodes, 0));
      case "LOWER" -> TextFunctions.lower(type, argument(nodes, 0));
      case "INITCAP" -> TextFunctions.initcap(type, argument(nodes, 0));
      case "||" -> TextFunctions.concat(type, translator.translateAll(nodes));
      case "CONCAT" -> TextFunctions.concatIgnoringNulls(type, translator.translateAll(nodes));
      case "SUBSTRING", "SUBSTR" ->
          TextFunctions.substring(type, argument(nodes, 0), argument(nodes, 1), argument(nodes, 2));
      case "LEFT" -> TextFunctions.left(type, argument(nodes, 0), argument(nodes, 1));
      case "RIGHT" -> TextFunctions.right(type, argument(nodes, 0), argument(nodes, 1));
      case "CHAR_LENGTH", "CHARACTER_LENGTH" -> TextFunctions.charLength(type, argument(nodes, 0));
      case "POSITION" -> position(type, nodes);
      case "REPLACE" ->
          TextFunctions.replace(type, argument(nodes, 0), argument(nodes, 1), argument(nodes, 2));
      case "TRIM" -> trim(type, nodes);
      case "USER", "CURRENT_USER", "SESSION_USER", "SYSTEM_USER" ->
          Expressions.literal(ColumnType.of(Kind.VARCHAR), (Object) "NELUMBO");
      case "CURRENT_CATALOG", "CURRENT_DATABASE" ->
          Expressions.literal(ColumnType.of(Kind.VARCHAR), (Object) CatalogState.DATABASE);
      case "CURRENT_SCHEMA" -> Expressions.literal(ColumnType.of(Kind.VARCHAR), (Object) schema);
      default -> null;
    };
  }

  private Expression library(String name, ColumnType type, List<RexNode> nodes) {
    return switch (name) {
      case "RANDOM" -> RandomFunctions.number();
      case "GEN_RANDOM_UUID", "RANDOM_UUID" -> RandomFunctions.uuid();
      case "SESSION_ID" -> SessionFunctions.number();
      case "LASTVAL" -> SessionFunctions.lastNumber();
      case "CURRENT_SETTING" -> SessionFunctions.setting(argument(nodes, 0));
      case "SET_CONFIG" ->
          SessionFunctions.set(argument(nodes, 0), argument(nodes, 1), argument(nodes, 2));
      default -> ofLibrary(name, type, translator.translateAll(nodes));
    };
  }

  private static Expression ofLibrary(String name, ColumnType type, List<Expression> operands) {
    return switch (name) {
      case "ASCII" -> LibraryTextFunctions.codePoint(type, operands);
      case "TRANSLATE3" -> LibraryTextFunctions.translate(type, operands);
      case "OVERLAY" -> LibraryTextFunctions.overlay(type, operands);
      case "CONCAT_WS" -> LibraryTextFunctions.joinWithSeparator(type, operands);
      case "FORMAT" -> QuotingFunctions.format(type, operands);
      case "BITAND", "BITOR", "BITXOR" -> IntegerFunctions.ofTwo(name, type, operands);
      case "BITNOT" -> IntegerFunctions.complement(type, operands);
      default -> AddedFunctions.expression(name, type, operands);
    };
  }

  private Expression position(ColumnType type, List<RexNode> nodes) {
    return TextFunctions.position(type, argument(nodes, 0), argument(nodes, 1), argument(nodes, 2));
  }

  private Expression trim(ColumnType type, List<RexNode> nodes) {
    SqlTrimFunction.Flag flag =
        ((RexLiteral) nodes.getFirst()).getValueAs(SqlTrimFunction.Flag.class);
    return TextFunctions.trim(
        type,
        flag != SqlTrimFunction.Flag.TRAILING,
        flag != SqlTrimFunction.Flag.LEADING,
        argument(nodes, 1),
        argument(nodes, 2));
  }

  private Expression number(String name, ColumnType type, List<RexNode> nodes) {
    return switch (name) {
      case "ABS" -> NumericFunctions.abs(type, argument(nodes, 0));
      case "SIGN" -> NumericFunctions.sign(type, argument(nodes, 0));
      case "FLOOR", "CEIL", "CEILING" -> floor(type, name.startsWith("CEIL"), nodes);
      case "POWER" -> NumericFunctions.power(type, argument(nodes, 0), argument(nodes, 1));
      case "ATAN2" -> NumericFunctions.atan2(type, argument(nodes, 0), argument(nodes, 1));
      default -> null;
    };
  }

  private Expression floor(ColumnType type, boolean ceil, List<RexNode> nodes) {
    Expression operand = argument(nodes, 0);
    if (nodes.size() > 1) {
      return DatetimeFunctions.floor(TemporalTranslator.unit(nodes.get(1)), operand, ceil);
    }
    return ceil ? NumericFunctions.ceil(type, operand) : NumericFunctions.floor(type, operand);
  }

  private Expression floating(String name, ColumnType type, List<RexNode> nodes) {
    return switch (name) {
      case "SQRT" -> NumericFunctions.sqrt(type, argument(nodes, 0));
      case "EXP" -> NumericFunctions.exp(type, argument(nodes, 0));
      case "LN" -> NumericFunctions.ln(type, argument(nodes, 0));
      case "LOG10" -> NumericFunctions.log10(type, argument(nodes, 0));
      case "SIN" -> NumericFunctions.floating(name, type, Math::sin, argument(nodes, 0));
      case "COS" -> NumericFunctions.floating(name, type, Math::cos, argument(nodes, 0));
      case "TAN" -> NumericFunctions.floating(name, type, Math::tan, argument(nodes, 0));
      case "COT" -> NumericFunctions.floating(name, type, x -> 1 / Math.tan(x), argument(nodes, 0));
      case "ASIN" -> NumericFunctions.floating(name, type, Math::asin, argument(nodes, 0));
      case "ACOS" -> NumericFunctions.floating(name, type, Math::acos, argument(nodes, 0));
      case "ATAN" -> NumericFunctions.floating(name, type, Math::atan, argument(nodes, 0));
      case "DEGREES" -> NumericFunctions.floating(name, type, Math::toDegrees, argument(nodes, 0));
      case "RADIANS" -> NumericFunctions.floating(name, type, Math::toRadians, argument(nodes, 0));
      case "CBRT" -> NumericFunctions.floating(name, type, Math::cbrt, argument(nodes, 0));
      case "PI" ->
          Expressions.literal(ColumnType.of(Kind.DOUBLE), Double.doubleToRawLongBits(Math.PI));
      default -> null;
    };
  }

  private Expression temporal(String name, ColumnType type, List<RexNode> nodes) {
    return switch (name) {
      case "CURRENT_DATE" -> DatetimeFunctions.currentDate();
      case "CURRENT_TIME", "LOCALTIME" -> DatetimeFunctions.currentTime(type);
      case "CURRENT_TIMESTAMP", "LOCALTIMESTAMP" -> DatetimeFunctions.currentTimestamp(type);
      case "EXTRACT" ->
          DatetimeFunctions.extract(
              type, TemporalTranslator.unit(nodes.get(0)), argument(nodes, 1));
      case "TIMESTAMPADD" ->
          DatetimeFunctions.plus(
              argument(nodes, 2),
              DatetimeFunctions.interval(TemporalTranslator.unit(nodes.get(0)), argument(nodes, 1)),
              false);
      case "TIMESTAMPDIFF" ->
          DatetimeFunctions.between(
              type, TemporalTranslator.unit(nodes.get(0)), argument(nodes, 1), argument(nodes, 2));
      default -> null;
    };
  }
}
