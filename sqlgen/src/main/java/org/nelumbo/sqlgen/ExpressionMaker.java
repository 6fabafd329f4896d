package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.List;

/**
 * A generator of expressions over some sources. Portable expressions have the same meaning in all
 * databases; others may use features that differ between databases.
 */
final class ExpressionMaker {
  private final Dice dice;
  private final List<Table> tables;
  private final boolean portable;
  private final List<Constant> constants = new ArrayList<>();
  private boolean fallible;
  private int aliases;

  ExpressionMaker(Dice dice, List<Table> tables, boolean portable) {
    this.dice = dice;
    this.tables = tables;
    this.portable = portable;
  }

  GeneratedStatement statement(String template, boolean ordered) {
    return new GeneratedStatement(template, List.copyOf(constants), fallible, ordered);
  }

  /** Draws new constants for the parameters of statements that are generated later. */
  void redraw() {
    constants.replaceAll(constant -> Constant.of(constant.type(), dice));
  }

  boolean hasParameters() {
    return !constants.isEmpty();
  }

  Source source() {
    return new Source(dice.any(tables), "q" + aliases++);
  }

  DataType type() {
    return dice.of(DataType.values());
  }

  /** Returns a constant for the text, which may become a parameter. */
  private String parameter(DataType type) {
    Constant constant = Constant.of(type, dice);
    if (constant.value() == null) {
      return constant.literal();
    }
    constants.add(constant);
    return GeneratedStatement.mark(constants.size() - 1);
  }

  String literal(DataType type) {
    if (dice.chance(6)) {
      return "CAST(NULL AS " + type.sqlName() + ")";
    }
    return dice.chance(60) && type != DataType.BOOLEAN
        ? cast(parameter(type), type)
        : Constant.of(type, dice).literal();
  }

  /** Returns a column of a type; null if no source has one. */
  String column(DataType type, List<Source> sources) {
    List<String> found = new ArrayList<>();
    for (Source source : sources) {
      source.table().columns(type).forEach(c -> found.add(source.alias() + "." + c.name()));
    }
    return found.isEmpty() ? null : dice.any(found);
  }

  /** Returns an expression of a type. */
  String of(DataType type, List<Source> sources, int depth) {
    if (depth <= 0 || dice.chance(45)) {
      String column = dice.chance(80) ? column(type, sources) : null;
      return column == null ? literal(type) : column;
    }
    if (dice.chance(15)) {
      return conditional(type, sources, depth - 1);
    }
    return switch (type) {
      case INTEGER, BIGINT -> whole(type, sources, depth - 1);
      case DECIMAL, DOUBLE -> number(type, sources, depth - 1);
      case VARCHAR -> text(sources, depth - 1);
      case BOOLEAN -> "(" + condition(sources, depth - 1) + ")";
      case DATE, TIMESTAMP -> moment(type, sources, depth - 1);
      case INSTANT, UUID, INTERVAL -> conditional(type, sources, depth - 1);
    };
  }

  private String conditional(DataType type, List<Source> sources, int depth) {
    String first = of(type, sources, depth);
    String second = of(type, sources, depth);
    return switch (dice.below(3)) {
      case 0 -> "COALESCE(" + first + ", " + second + ")";
      case 1 -> "NULLIF(" + first + ", " + second + ")";
      default ->
          "CASE WHEN " + condition(sources, depth) + " THEN " + first + " ELSE " + second + " END";
    };
  }

  private String whole(DataType type, List<Source> sources, int depth) {
    String first = of(type, sources, depth);
    String second = of(type, sources, depth);
    switch (dice.below(portable ? 8 : 12)) {
      case 0, 1 -> {
        fallible = true; // overflow
        return "(" + first + dice.of(" + ", " - ", " * ") + second + ")";
      }
      case 2 -> {
        fallible = true;
        return "(" + first + " / " + second + ")";
      }
      case 3 -> {
        fallible = true;
        return "MOD(" + first + ", " + second + ")";
      }
      case 4 -> {
        fallible = true;
        return "ABS(" + first + ")";
      }
      case 5 -> {
        return cast("CHAR_LENGTH(" + of(DataType.VARCHAR, sources, depth) + ")", type);
      }
      case 6 -> {
        fallible = true;
        return cast(of(DataType.VARCHAR, sources, depth), type);
      }
      case 7 -> {
        return cast(
            "EXTRACT("
                + dice.of("YEAR", "MONTH", "DAY")
                + " FROM "
                + of(DataType.DATE, sources, depth)
                + ")",
            type);
      }
      case 8 -> {
        fallible = true;
        return cast(of(dice.of(DataType.DECIMAL, DataType.DOUBLE), sources, depth), type);
      }
      case 9 -> {
        return cast(
            "POSITION(("
                + of(DataType.VARCHAR, sources, depth)
                + ") IN "
                + of(DataType.VARCHAR, sources, depth)
                + ")",
            type);
      }
      case 10 -> {
        return cast(
            "TIMESTAMPDIFF(DAY, "
                + of(DataType.DATE, sources, depth)
                + ", "
                + of(DataType.DATE, sources, depth)
                + ")",
            type);
      }
      default -> {
        fallible = true;
        return cast("SIGN(" + of(DataType.DOUBLE, sources, depth) + ")", type);
      }
    }
  }

  private static String cast(String value, DataType type) {
    return "CAST(" + value + " AS " + type.sqlName() + ")";
  }

  private String number(DataType type, List<Source> sources, int depth) {
    String first = of(type, sources, depth);
    String second = of(type, sources, depth);
    switch (dice.below(portable ? 4 : 7)) {
      case 0, 1 -> {
        fallible = true;
        return "(" + first + dice.of(" + ", " - ") + second + ")";
      }
      case 2 -> {
        fallible = true;
        return "-(" + first + ")";
      }
      case 3 -> {
        fallible = true;
        return type == DataType.DOUBLE
            ? "(" + first + " * " + second + ")"
            : "(" + first + " * " + (dice.below(7) - 3) + ")";
      }
      case 4 -> {
        fallible = true;
        return "(" + first + " / " + second + ")";
      }
      case 5 -> {
        fallible = true;
        return dice.of("FLOOR(", "CEIL(", "ABS(") + first + ")";
      }
      default -> {
        fallible = true;
        return cast(
            of(dice.of(DataType.VARCHAR, DataType.INTEGER, DataType.DOUBLE), sources, depth), type);
      }
    }
  }

  private String text(List<Source> sources, int depth) {
    String first = of(DataType.VARCHAR, sources, depth);
    return switch (dice.below(portable ? 6 : 10)) {
      case 0, 1 -> "(" + first + " || " + of(DataType.VARCHAR, sources, depth) + ")";
      case 2 -> "UPPER(" + first + ")";
      case 3 -> "LOWER(" + first + ")";
      case 4 ->
          "SUBSTRING(" + first + " FROM " + (1 + dice.below(3)) + " FOR " + dice.below(3) + ")";
      case 5 -> "CAST(" + of(DataType.INTEGER, sources, depth) + " AS VARCHAR(12))";
      case 6 -> {
        fallible = true;
        DataType type = type();
        boolean alike = type != DataType.INTERVAL; // databases format intervals differently
        yield "CAST(" + of(alike ? type : DataType.DATE, sources, depth) + " AS VARCHAR(40))";
      }
      case 7 -> {
        fallible = true;
        yield "SUBSTRING("
            + first
            + " FROM "
            + of(DataType.INTEGER, sources, depth)
            + " FOR "
            + of(DataType.INTEGER, sources, depth)
            + ")";
      }
      case 8 -> "REPLACE(" + first + ", " + of(DataType.VARCHAR, sources, depth) + ", 'z')";
      default -> "TRIM(" + dice.of("BOTH", "LEADING", "TRAILING") + " ' ' FROM " + first + ")";
    };
  }

  private String moment(DataType type, List<Source> sources, int depth) {
    if (portable || dice.chance(40)) {
      return type == DataType.TIMESTAMP && dice.chance(40)
          ? cast(of(DataType.DATE, sources, depth), type)
          : of(type, sources, depth);
    }
    fallible = true;
    return switch (dice.below(3)) {
      case 0 ->
          "("
              + of(type, sources, depth)
              + " + INTERVAL '"
              + (dice.below(5) - 2)
              + "' "
              + dice.of("DAY", "MONTH", "YEAR")
              + ")";
      case 1 ->
          cast(
              of(dice.of(DataType.DATE, DataType.TIMESTAMP, DataType.VARCHAR), sources, depth),
              type);
      default ->
          "TIMESTAMPADD(DAY, "
              + of(DataType.INTEGER, sources, depth)
              + ", "
              + of(type, sources, depth)
              + ")";
    };
  }

  private String operator() {
    return dice.of(" = ", " = ", " = ", " <> ", " < ", " <= ", " > ", " >= ");
  }

  /** Returns a condition. */
  String condition(List<Source> sources, int depth) {
    if (depth > 0 && dice.chance(40)) {
      String first = condition(sources, depth - 1);
      return switch (dice.below(6)) {
        case 0, 1 -> "(" + first + " AND " + condition(sources, depth - 1) + ")";
        case 2, 3 -> "(" + first + " OR " + condition(sources, depth - 1) + ")";
        case 4 -> "NOT (" + first + ")";
        default ->
            "(" + first + ")" + dice.of(" IS TRUE", " IS FALSE", " IS NOT TRUE", " IS NOT FALSE");
      };
    }
    return simple(sources, depth);
  }

  private String simple(List<Source> sources, int depth) {
    DataType type = type();
    String column = column(type, sources);
    String value = column == null || dice.chance(25) ? of(type, sources, depth) : column;
    return switch (dice.below(12)) {
      case 0, 1, 2, 3 ->
          column == null
              ? comparison(type, value, sources, depth)
              : column + operator() + parameter(type);
      case 4, 5 -> comparison(type, value, sources, depth);
      case 6 -> value + dice.of(" IS NULL", " IS NOT NULL");
      case 7 -> value + (dice.chance(30) ? " NOT" : "") + " IN (" + list(type) + ")";
      case 8 -> between(type, value, sources, depth);
      case 9 ->
          of(DataType.VARCHAR, sources, depth)
              + (dice.chance(20) ? " NOT" : "")
              + " LIKE "
              + dice.of("'a%'", "'%b'", "'_'", "'%'", "'a_%'", "''");
      case 10 -> depth > 0 ? subQuery(sources, depth - 1) : comparison(type, value, sources, depth);
      default -> mixed(sources, depth);
    };
  }

  private String comparison(DataType type, String value, List<Source> sources, int depth) {
    return value + operator() + of(type, sources, depth - 1);
  }

  private String mixed(List<Source> sources, int depth) {
    DataType first = dice.of(DataType.INTEGER, DataType.BIGINT, DataType.DECIMAL, DataType.DATE);
    DataType second =
        first == DataType.DATE
            ? DataType.TIMESTAMP
            : dice.of(DataType.INTEGER, DataType.BIGINT, DataType.DECIMAL);
    return of(first, sources, depth - 1) + operator() + of(second, sources, depth - 1);
  }

  private String between(DataType type, String value, List<Source> sources, int depth) {
    return value
        + (dice.chance(20) ? " NOT" : "")
        + " BETWEEN "
        + (dice.chance(60) ? parameter(type) : of(type, sources, depth - 1))
        + " AND "
        + (dice.chance(60) ? parameter(type) : of(type, sources, depth - 1));
  }

  private String list(DataType type) {
    List<String> values = new ArrayList<>();
    for (int i = 1 + dice.below(4); i > 0; i--) {
      values.add(
          dice.chance(5)
              ? "NULL"
              : dice.chance(50) ? parameter(type) : Constant.of(type, dice).literal());
    }
    return String.join(", ", values);
  }

  private String subQuery(List<Source> outer, int depth) {
    Source inner = source();
    DataType type = dice.any(inner.table().columns).type();
    String selected = column(type, List.of(inner));
    List<Source> all = new ArrayList<>(outer);
    all.add(inner);
    String where =
        " FROM " + inner + " WHERE " + condition(dice.chance(50) ? all : List.of(inner), depth);
    String known = column(type, outer);
    if (known == null || dice.chance(35)) {
      return (dice.chance(40) ? "NOT " : "") + "EXISTS (SELECT 1" + where + ")";
    } else if (dice.chance(65)) {
      return membership(type, known, selected + where);
    }
    boolean counted = type == DataType.BOOLEAN || dice.chance(40);
    String function = counted ? "COUNT(" : dice.of("MIN(", "MAX(");
    String left = counted ? Integer.toString(dice.below(3)) : known;
    String rows = dice.chance(50) ? equalRows(outer, inner, depth) : null;
    String from = rows == null ? where : rows;
    return left + operator() + "(SELECT " + function + selected + ")" + from + ")";
  }

  /**
   * Returns a condition whether a value, or NULL, is in a query, or whether that condition is in
   * another query. Rows of values are not generated: in H2 the membership of a row with a NULL is
   * unknown even if the other rows differ in another column.
   *
   * @param query query text after SELECT, which begins with a column of the type
   */
  private String membership(DataType type, String known, String query) {
    String in = (dice.chance(40) ? " NOT" : "") + " IN (SELECT ";
    if (dice.chance(20)) {
      return "CAST(NULL AS " + type.sqlName() + ")" + in + query + ")";
    }
    String plain = known + in + query + ")";
    if (!dice.chance(15)) {
      return plain;
    }
    Source other = source();
    return "("
        + plain
        + (dice.chance(40) ? ") NOT IN (SELECT " : ") IN (SELECT ")
        + condition(List.of(other), 0)
        + " FROM "
        + other
        + ")";
  }

  /**
   * Returns a subquery that counts the rows of a table that equal the outer row in a column; null
   * if no column has its type.
   */
  String count(List<Source> outer) {
    Source inner = source();
    String rows = equalRows(outer, inner, 0);
    String counted = column(dice.any(inner.table().columns).type(), List.of(inner));
    return rows == null ? null : "(SELECT COUNT(" + counted + ")" + rows + ")";
  }

  /**
   * Returns the FROM and WHERE of the rows that equal the outer row in a column; null if no column
   * has the same type.
   */
  private String equalRows(List<Source> outer, Source inner, int depth) {
    DataType type = dice.any(inner.table().columns).type();
    String known = column(type, outer);
    return known == null
        ? null
        : " FROM "
            + inner
            + " WHERE "
            + column(type, List.of(inner))
            + " = "
            + known
            + (dice.chance(40) ? " AND " + condition(List.of(inner), depth) : "");
  }
}
