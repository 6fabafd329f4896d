package org.nelumbo.parser;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Generates random simple statements, and texts that are nearly such. */
final class PlainText {
  private static final List<String> NAMES =
      List.of(
          "a", "b", "C", "col1", "\"x y\"", "g", "k", "M", "name", "type", "key", "level", "state",
          "title", "length", "a_1", "tab0");
  private static final List<String> OPERATORS =
      List.of(
          "+", "-", "*", "/", "%", "||", "=", "<>", "!=", "<", "<=", ">", ">=", "AND", "OR", "or",
          "AND");
  private static final List<String> PREFIXES = List.of("-", "+", "NOT", "- -", "+ -", "not");
  private static final List<String> TESTS =
      List.of("IS NULL", "IS NOT NULL", "IS TRUE", "IS NOT FALSE", "IS UNKNOWN", "is not unknown");
  private static final List<String> LITERALS =
      List.of(
          "0", "12", "1.50", "007", "'a'", "''", "'it''s'", "NULL", "TRUE", "false", "UNKNOWN",
          "?");
  private static final List<String> FUNCTIONS =
      List.of("COUNT", "sum", "MIN", "MAX", "avg", "COALESCE", "NULLIF", "ABS", "lower", "own.f");
  private static final List<String> TYPES =
      List.of("int", "INTEGER", "SMALLINT", "BIGINT", "REAL", "DOUBLE", "BOOLEAN");
  private static final List<String> COLUMN_TYPES =
      List.of(
          "int",
          "VARCHAR(20)",
          "varchar",
          "CHAR (3)",
          "DECIMAL(12, 2)",
          "numeric(9)",
          "DECIMAL",
          "DATE",
          "TIME",
          "timestamp(3)",
          "TIMESTAMP",
          "BOOLEAN",
          "DOUBLE PRECISION",
          "double",
          "TEXT",
          "clob",
          "BLOB",
          "bytea",
          "uuid",
          "VARBINARY(8)",
          "TINYINT",
          "BIGINT",
          "REAL",
          "INT(11)",
          "VARCHAR(10 CHAR)",
          "serial",
          "TIMESTAMP WITH TIME ZONE",
          "INT UNSIGNED",
          "FLOAT",
          "time(0)",
          "VARCHAR(1K)",
          "name");
  private static final List<String> DEFAULTS =
      List.of(
          "0",
          "-1",
          "- 2.50",
          "+3",
          "'x'",
          "''",
          "TRUE",
          "false",
          "NULL",
          "CURRENT_TIMESTAMP",
          "current_date",
          "LOCALTIMESTAMP",
          "CURRENT_TIMESTAMP(3)",
          "1 + 1",
          "'a' || 'b'",
          "(1)",
          "DATE '2026-01-01'",
          "1 IS NULL",
          "UPPER('x')",
          "b'0'",
          "UNKNOWN");
  private static final List<String> ACTIONS =
      List.of("NO ACTION", "RESTRICT", "cascade", "SET NULL", "SET DEFAULT");
  private static final List<String> NOISE =
      List.of(
          "SELECT",
          "FROM",
          "(",
          ")",
          ",",
          ".",
          "NOT",
          "AND",
          "BETWEEN",
          "IN",
          "LIKE",
          "ESCAPE",
          "AS",
          "JOIN",
          "LEFT",
          "OUTER",
          "CROSS",
          "USING",
          "ON",
          "WHERE",
          "GROUP",
          "BY",
          "HAVING",
          "ORDER",
          "LIMIT",
          "DISTINCT",
          "ALL",
          "*",
          "t.*",
          "mod",
          "DIV",
          "end",
          "CASE",
          "WHEN",
          "1e5",
          "5a",
          "1.",
          ".5",
          "?",
          "'x'",
          "N'x'",
          "--",
          "/* c */",
          "//",
          "OVER",
          "FILTER",
          "YEAR",
          "DATE",
          "FETCH",
          "FOR UPDATE",
          "UNION",
          ";",
          "::",
          "=>",
          "->",
          "<=>",
          "<<",
          ">>",
          "[",
          "`b`",
          "é",
          "value",
          "row",
          "rows",
          "interval",
          "SYMMETRIC",
          "EXISTS",
          "ANY",
          "|",
          "NULLS",
          "FIRST",
          "INSERT",
          "INTO",
          "VALUES",
          "DEFAULT",
          "UPDATE",
          "SET",
          "DELETE",
          "RETURNING",
          "USING",
          "CREATE",
          "TABLE",
          "INDEX",
          "KEY",
          "UNIQUE",
          "PRIMARY",
          "CONSTRAINT",
          "CHECK",
          "REFERENCES",
          "CASCADE",
          "IF",
          "IF NOT EXISTS",
          "GENERATED",
          "IDENTITY",
          "AUTO_INCREMENT",
          "TEMPORARY",
          "ONLY",
          "CONCURRENTLY",
          "NOCHECK",
          "VARYING",
          "INT",
          "DOUBLE",
          "PRECISION",
          "UNSIGNED",
          "NULL",
          "-",
          "0",
          "999999999999",
          "\r\n");

  private final RandomGenerator random;

  PlainText(RandomGenerator random) {
    this.random = random;
  }

  /** Returns a query, a change of rows or a schema change. */
  String statement() {
    return switch (random.nextInt(6)) {
      case 0, 1 -> change();
      case 2, 3 -> schemaChange();
      default -> query();
    };
  }

  private String schemaChange() {
    String ifNotExists = oneIn(4) ? "IF NOT EXISTS " : "";
    return switch (random.nextInt(4)) {
      case 0 ->
          "ALTER TABLE " + (oneIn(9) ? "ONLY " : "") + tableName() + " ADD " + tableConstraint();
      case 1 ->
          any(List.of("CREATE INDEX ", "create unique index ", "CREATE\nINDEX "))
              + ifNotExists
              + (oneIn(4) ? "" : tableName() + space())
              + "ON "
              + tableName()
              + space()
              + "("
              + join(", ", 3, () -> (oneIn(9) ? expression(1) : any(NAMES)) + direction())
              + ")"
              + (oneIn(9) ? " WHERE " + expression(1) : "");
      default ->
          "CREATE"
              + space()
              + "TABLE "
              + ifNotExists
              + tableName()
              + space()
              + "("
              + join("," + space(), 4, this::element)
              + ")"
              + any(List.of("", "", "", "", " ; ", " WITH (versions = 2)", " ENGINE = x"));
    };
  }

  private String direction() {
    return any(List.of("", "", " ASC", " DESC", " desc NULLS LAST"));
  }

  private String element() {
    return oneIn(4) ? tableConstraint() : column();
  }

  private String column() {
    StringBuilder column = new StringBuilder(any(NAMES)).append(space()).append(any(COLUMN_TYPES));
    for (int i = random.nextInt(3); i > 0; i--) {
      String name = oneIn(4) ? "CONSTRAINT " + any(NAMES) + space() : "";
      column
          .append(space())
          .append(
              switch (random.nextInt(9)) {
                case 0 -> "DEFAULT " + any(DEFAULTS);
                case 1, 2 -> name + "NOT NULL";
                case 3 -> "NULL";
                case 4 -> name + "PRIMARY KEY";
                case 5 -> name + "UNIQUE";
                case 6 -> name + references();
                case 7 -> name + "CHECK (" + expression(1) + ")";
                default ->
                    any(
                        List.of(
                            "GENERATED ALWAYS AS IDENTITY",
                            "GENERATED BY DEFAULT AS IDENTITY",
                            "GENERATED ALWAYS AS (a + 1)",
                            "AUTO_INCREMENT",
                            "GENERATED BY DEFAULT AS IDENTITY (START WITH 5)"));
              });
    }
    return column.toString();
  }

  private String tableConstraint() {
    return (oneIn(2) ? "CONSTRAINT " + any(NAMES) + space() : "")
        + switch (random.nextInt(6)) {
          case 0 -> "PRIMARY KEY " + names();
          case 1 -> "UNIQUE" + space() + names();
          case 2 -> "CHECK (" + expression(2) + ")";
          case 3 -> any(List.of("KEY ", "INDEX ", "UNIQUE KEY ")) + names();
          default -> "FOREIGN KEY " + names() + space() + references();
        };
  }

  private String references() {
    return "REFERENCES "
        + tableName()
        + (oneIn(2) ? "" : " " + names())
        + (oneIn(2) ? "" : " ON DELETE " + any(ACTIONS))
        + (oneIn(3) ? " ON UPDATE " + any(ACTIONS) : "");
  }

  private String names() {
    return "(" + join(", ", 2, () -> any(NAMES)) + ")";
  }

  private String change() {
    String where = oneIn(3) ? "" : " WHERE " + expression(2);
    String alias = any(List.of("", "", " AS " + any(NAMES), "\n" + any(NAMES)));
    return switch (random.nextInt(4)) {
      case 0 -> "DELETE FROM" + space() + tableName() + alias + where;
      case 1 ->
          "update "
              + tableName()
              + alias
              + " SET "
              + join(", ", 3, () -> any(NAMES) + space() + "= " + value())
              + where;
      default ->
          "INSERT INTO "
              + tableName()
              + space()
              + (oneIn(2) ? "" : "(" + join(", ", 3, () -> any(NAMES)) + ") ")
              + "VALUES "
              + join(", ", 2, () -> "(" + join(", ", 3, this::value) + ")")
              + (oneIn(9) ? " ; " : "");
    };
  }

  private String value() {
    return oneIn(6) ? "DEFAULT" : expression(1);
  }

  private String tableName() {
    return any(NAMES) + (oneIn(4) ? "." + any(NAMES) : "");
  }

  private String query() {
    StringBuilder sql = new StringBuilder("SELECT");
    sql.append(any(List.of(" ", " ALL ", " DISTINCT ", " ", " ")));
    sql.append(join(", ", 3, this::item));
    if (oneIn(6)) {
      return sql.append(oneIn(2) ? "" : " WHERE " + expression(2)).toString();
    }
    sql.append(" FROM ").append(table());
    for (int i = random.nextInt(3); i > 0; i--) {
      sql.append(joined());
    }
    sql.append(oneIn(2) ? " WHERE " + expression(3) : "");
    sql.append(oneIn(3) ? " GROUP BY " + join(", ", 3, () -> expression(1)) : "");
    sql.append(oneIn(4) ? " HAVING " + expression(2) : "");
    sql.append(oneIn(3) ? " ORDER BY " + join(", ", 3, this::order) : "");
    sql.append(oneIn(5) ? " LIMIT " + random.nextInt(100) : "");
    sql.append(oneIn(6) ? " OFFSET 3" : "");
    return sql.append(oneIn(9) ? " ; " : "").toString();
  }

  /** Returns a statement in which words are dropped, doubled or replaced. */
  String damaged() {
    List<String> words = new ArrayList<>(List.of(statement().split("(?<=\\W)|(?=\\W)")));
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      int at = random.nextInt(words.size());
      switch (random.nextInt(4)) {
        case 0 -> words.set(at, " ");
        case 1 -> words.add(at, words.get(at) + " ");
        case 2 -> words.add(at, " " + any(NOISE) + " ");
        default -> words.set(at, " " + any(NOISE) + " ");
      }
    }
    return String.join("", words);
  }

  private String item() {
    if (oneIn(8)) {
      return oneIn(2) ? "*" : any(NAMES) + ".*";
    }
    return expression(3) + any(List.of("", "", " AS " + any(NAMES), " " + any(NAMES)));
  }

  private String table() {
    return tableName() + any(List.of("", "", " AS " + any(NAMES), "\n" + any(NAMES)));
  }

  private String joined() {
    String kind =
        any(
            List.of(
                ", ",
                " JOIN ",
                " INNER JOIN ",
                " LEFT JOIN ",
                " LEFT OUTER JOIN ",
                " RIGHT JOIN ",
                " FULL OUTER JOIN ",
                " CROSS JOIN ",
                " cross join "));
    return kind + table() + (kind.equals(", ") || oneIn(4) ? "" : " ON " + expression(2));
  }

  private String order() {
    return expression(1)
        + any(List.of("", " ASC", " DESC", " desc"))
        + any(List.of("", "", " NULLS FIRST", " NULLS LAST"));
  }

  /** Returns a list of operands and operators without parentheses, grouped by precedence only. */
  private String expression(int most) {
    StringBuilder text = new StringBuilder(operand(most));
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      switch (random.nextInt(12)) {
        case 0 -> text.append(' ').append(any(TESTS));
        case 1 -> text.append(not()).append("IN (").append(list(most)).append(')');
        case 2 ->
            text.append(not())
                .append("BETWEEN ")
                .append(expression(most - 1))
                .append(" AND ")
                .append(operand(most));
        case 3 -> text.append(not()).append("LIKE ").append(operand(most));
        default -> text.append(space()).append(any(OPERATORS)).append(' ').append(operand(most));
      }
    }
    return text.toString();
  }

  private String not() {
    return oneIn(2) ? " " : " NOT ";
  }

  private String space() {
    return any(List.of(" ", " ", "\n", "  ", "\t"));
  }

  private String list(int most) {
    return join(", ", 3, () -> expression(most - 1));
  }

  private String operand(int most) {
    String prefix = oneIn(4) ? any(PREFIXES) + " " : "";
    if (most <= 0) {
      return prefix + any(oneIn(2) ? NAMES : LITERALS);
    }
    return prefix
        + switch (random.nextInt(11)) {
          case 0 -> "(" + space() + expression(most - 1) + ")";
          case 1 -> any(FUNCTIONS) + space() + "(" + list(most) + ")";
          case 2 -> oneIn(2) ? "COUNT(*)" : "f()";
          case 3 -> "SUM(" + any(List.of("ALL ", "DISTINCT ")) + expression(most - 1) + ")";
          case 4 -> choice(most);
          case 8 -> "CAST(" + expression(most - 1) + " AS " + any(TYPES) + ")";
          case 5 -> any(NAMES) + "." + any(NAMES);
          case 6, 7 -> any(LITERALS);
          default -> any(NAMES);
        };
  }

  private String choice(int most) {
    String value = oneIn(2) ? "" : expression(most - 1) + " ";
    String branches =
        join(" ", 2, () -> "WHEN " + expression(most - 1) + " THEN " + expression(most - 1));
    return "CASE " + value + branches + (oneIn(2) ? "" : " ELSE " + expression(most - 1)) + " END";
  }

  private String join(String between, int most, java.util.function.Supplier<String> part) {
    List<String> parts = new ArrayList<>();
    for (int i = 1 + random.nextInt(most); i > 0; i--) {
      parts.add(part.get());
    }
    return String.join(between, parts);
  }

  private boolean oneIn(int many) {
    return random.nextInt(many) == 0;
  }

  private String any(List<String> texts) {
    return texts.get(random.nextInt(texts.size()));
  }
}
