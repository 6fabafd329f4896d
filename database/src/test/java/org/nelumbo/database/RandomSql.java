package org.nelumbo.database;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Generates random statements on the tables of {@link OracleTest}: changes, and queries whose
 * result does not depend on the order in which a database reads rows.
 */
final class RandomSql {
  /** A table of {@link OracleTest} with its numeric and text columns. */
  private record Table(String name, List<String> numbers, List<String> texts) {}

  private static final List<Table> TABLES =
      List.of(
          new Table("t", List.of("a", "b", "d"), List.of("c")),
          new Table("u", List.of("id", "x", "y"), List.of("s")),
          new Table("w", List.of("k", "n"), List.of("m")));

  /** A table in a FROM clause, with its alias. */
  private record Source(Table table, String alias) {
    List<String> numbers() {
      return table.numbers.stream().map(column -> alias + "." + column).toList();
    }

    List<String> texts() {
      return table.texts.stream().map(column -> alias + "." + column).toList();
    }
  }

  private final Random random;
  private int aliases;

  RandomSql(long seed) {
    this.random = new Random(seed);
  }

  private <T> T any(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private Source source() {
    return new Source(any(TABLES), "q" + aliases++);
  }

  private String number(List<Source> sources) {
    return chance(75) ? any(any(sources).numbers()) : Integer.toString(random.nextInt(8) - 1);
  }

  private String numeric(List<Source> sources) {
    return switch (random.nextInt(7)) {
      case 0 -> number(sources) + " + " + number(sources);
      case 1 -> number(sources) + " * 2 - " + number(sources);
      case 2 -> "COALESCE(" + number(sources) + ", " + random.nextInt(5) + ")";
      case 4 -> "(" + scalarSubQuery(sources) + ")";
      case 3 ->
          "CASE WHEN "
              + predicate(sources, 0)
              + " THEN "
              + number(sources)
              + " ELSE "
              + number(sources)
              + " END";
      default -> number(sources);
    };
  }

  private String text(List<Source> sources) {
    return chance(70) ? any(any(sources).texts()) : "'" + "abcde".charAt(random.nextInt(5)) + "'";
  }

  private String comparison() {
    return any(List.of("=", "=", "=", "<>", "<", "<=", ">", ">="));
  }

  private String predicate(List<Source> sources, int depth) {
    int kind = random.nextInt(depth > 0 ? 16 : 9);
    return switch (kind) {
      case 0, 1, 2, 3 -> any(any(sources).numbers()) + " " + comparison() + " " + number(sources);
      case 4 -> text(sources) + " " + comparison() + " " + text(sources);
      case 5 -> any(any(sources).numbers()) + (chance(50) ? " IS NULL" : " IS NOT NULL");
      case 6 -> number(sources) + (chance(30) ? " NOT" : "") + " IN (" + list() + ")";
      case 7 ->
          any(any(sources).numbers())
              + " BETWEEN "
              + random.nextInt(4)
              + " AND "
              + random.nextInt(8);
      case 8 -> any(any(sources).texts()) + " LIKE '" + any(List.of("a%", "%b", "_", "b%")) + "'";
      case 9, 10 ->
          "(" + predicate(sources, depth - 1) + " AND " + predicate(sources, depth - 1) + ")";
      case 11 -> "(" + predicate(sources, depth - 1) + " OR " + predicate(sources, depth - 1) + ")";
      case 12 -> "NOT (" + predicate(sources, depth - 1) + ")";
      case 13 -> (chance(50) ? "NOT " : "") + "EXISTS (" + subQuery(sources, "1") + ")";
      case 14 -> inSubQuery(sources);
      default ->
          any(any(sources).numbers()) + " " + comparison() + " (" + scalarSubQuery(sources) + ")";
    };
  }

  private String list() {
    int count = 1 + random.nextInt(4);
    List<String> values = new ArrayList<>();
    IntStream.range(0, count)
        .forEach(i -> values.add(chance(5) ? "NULL" : Integer.toString(random.nextInt(8))));
    return String.join(", ", values);
  }

  private String subQuery(List<Source> outer, String select) {
    Source inner = source();
    List<Source> all = new ArrayList<>(outer);
    all.add(inner);
    String where = predicate(chance(70) ? all : List.of(inner), 0);
    if (chance(50)) {
      where += " AND " + any(inner.numbers()) + " = " + any(any(outer).numbers());
    }
    return "SELECT "
        + select.replace("?", any(inner.numbers()))
        + " FROM "
        + from(inner)
        + " WHERE "
        + where;
  }

  private String inSubQuery(List<Source> sources) {
    return any(any(sources).numbers())
        + (chance(40) ? " NOT" : "")
        + " IN ("
        + subQuery(sources, "?")
        + ")";
  }

  private String scalarSubQuery(List<Source> sources) {
    if (chance(50)) {
      return grouping(sources);
    }
    return subQuery(sources, any(List.of("MAX(?)", "MIN(?)", "COUNT(*)", "SUM(?)")));
  }

  /** Returns an aggregate of the rows that equal the outer row in one or two columns. */
  private String grouping(List<Source> outer) {
    Source inner = source();
    String number = any(inner.numbers());
    String select =
        any(
            List.of(
                "COUNT(*)",
                "COUNT(" + number + ") + 1",
                "MAX(" + number + ")",
                "COALESCE(SUM(" + number + "), -1)",
                "MIN(" + number + ") * COUNT(*)"));
    String where = any(inner.numbers()) + " = " + any(any(outer).numbers());
    if (chance(30)) {
      where += " AND " + any(any(outer).texts()) + " = " + any(inner.texts());
    }
    if (chance(30)) {
      where += " AND " + predicate(List.of(inner), 0);
    }
    return "SELECT " + select + " FROM " + from(inner) + " WHERE " + where;
  }

  /** Returns a WITH query that is referenced two or three times. */
  private String named(String query) {
    int column = random.nextInt(2);
    return "WITH r AS ("
        + query
        + ") SELECT x.c0, y.c1, "
        + (chance(50) ? "x.c2" : "(SELECT COUNT(*) FROM r z WHERE z.c1 < x.c1)")
        + " FROM r x"
        + any(List.of(" JOIN", " LEFT JOIN"))
        + " r y ON x.c"
        + column
        + " = y.c"
        + column
        + (chance(40) ? " WHERE x.c0 >= (SELECT MIN(c0) FROM r)" : "");
  }

  private static String from(Source source) {
    return source.table.name + " " + source.alias;
  }

  /** Returns a query whose rows are compared in any order. */
  String query() {
    aliases = 0;
    List<Source> sources = new ArrayList<>();
    sources.add(source());
    StringBuilder from = new StringBuilder(from(sources.getFirst()));
    for (int joins = random.nextInt(3); joins > 0; joins--) {
      join(sources, from);
    }
    String where = chance(85) ? " WHERE " + predicate(sources, 2) : "";
    if (chance(30)) {
      return grouped(sources, from, where);
    }
    String plain = plain(sources, from, where);
    return chance(15) ? named(plain) : plain;
  }

  private void join(List<Source> sources, StringBuilder from) {
    Source joined = source();
    String kind = any(List.of(" JOIN ", " JOIN ", " LEFT JOIN ", " RIGHT JOIN "));
    String on = any(joined.numbers()) + " = " + any(any(sources).numbers());
    sources.add(joined);
    if (chance(30)) {
      on += " AND " + predicate(sources, 0);
    }
    from.append(kind).append(from(joined)).append(" ON ").append(on);
  }

  private String plain(List<Source> sources, StringBuilder from, String where) {
    List<String> select = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      select.add((chance(75) ? numeric(sources) : text(sources)) + " AS c" + i);
    }
    String distinct = chance(20) ? "DISTINCT " : "";
    String query = "SELECT " + distinct + String.join(", ", select) + " FROM " + from + where;
    if (chance(15)) {
      return query + any(List.of(" UNION ", " UNION ALL ", " INTERSECT ", " EXCEPT ")) + query;
    }
    if (chance(25)) {
      return query
          + " ORDER BY 1"
          + (chance(50) ? " DESC" : "")
          + ", 2, 3 LIMIT "
          + random.nextInt(6)
          + (chance(30) ? " OFFSET " + random.nextInt(3) : "");
    }
    return query;
  }

  private String grouped(List<Source> sources, StringBuilder from, String where) {
    String key = chance(60) ? any(any(sources).numbers()) : any(any(sources).texts());
    String argument = any(any(sources).numbers());
    List<String> calls =
        List.of(
            "COUNT(*)",
            "COUNT(" + argument + ")",
            "SUM(" + argument + ")",
            "MIN(" + argument + ")",
            "MAX(" + argument + ")",
            "COUNT(DISTINCT " + argument + ")",
            "SUM(DISTINCT " + argument + ")");
    String select = any(calls) + ", " + any(calls);
    if (chance(30)) {
      return "SELECT " + select + " FROM " + from + where;
    }
    String having = chance(40) ? " HAVING " + any(calls) + " " + comparison() + " 2" : "";
    return "SELECT " + key + ", " + select + " FROM " + from + where + " GROUP BY " + key + having;
  }

  /** Returns a change that violates no constraint. */
  String change() {
    aliases = 0;
    Source target = source();
    List<Source> sources = List.of(target);
    String where = " WHERE " + predicate(sources, 1);
    if (chance(40)) {
      return "DELETE FROM " + from(target) + where + " AND " + any(target.numbers()) + " > 2";
    }
    String column =
        switch (target.table.name) {
          case "t" -> "d";
          case "u" -> any(List.of("x", "y"));
          default -> "n";
        };
    String value = chance(20) ? "NULL" : number(sources) + " + " + random.nextInt(3);
    return "UPDATE " + from(target) + " SET " + column + " = " + value + where;
  }
}
