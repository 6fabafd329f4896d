package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.List;

/** A generator of statements that store one value in a column in different ways. */
final class AssignmentMaker {
  private static final String TABLE = "stored";
  private static final String SOURCE = "given";

  private final Dice dice;

  AssignmentMaker(Dice dice) {
    this.dice = dice;
  }

  /**
   * A value and the column that stores it.
   *
   * @param value an expression without columns
   * @param valueType a type that the value already has
   * @param columnType type of the column
   * @param length length of the column in characters; 0 if it is not a text column
   */
  record Assignment(String value, String valueType, String columnType, int length) {}

  /**
   * One way to store a value.
   *
   * @param statements statements, the last of which stores the value; those before it must succeed
   */
  record Way(String name, List<String> statements) {}

  /** Draws a value of any type and a column of any type. */
  Assignment assignment() {
    Constant constant = Constant.of(dice.of(DataType.values()), dice);
    String value =
        switch (constant.type()) {
          case INTEGER, BIGINT ->
              dice.of(constant.literal(), Integer.toString(dice.below(2_000_000) - 1_000_000));
          case VARCHAR -> dice.of(constant.literal(), "'ab   '", "'17'", "'2024-02-03'");
          default -> constant.literal();
        };
    int length = 1 + dice.below(12);
    String type =
        dice.of(
            "VARCHAR(" + length + ")",
            "VARCHAR(" + length + ")",
            "CHAR(" + length + ")",
            "SMALLINT",
            "INTEGER",
            "DECIMAL(4, 1)",
            "DOUBLE PRECISION",
            "BOOLEAN",
            "DATE",
            "TIMESTAMP(0)");
    String valueType =
        constant.type() == DataType.VARCHAR ? "VARCHAR(40)" : constant.type().sqlName();
    return new Assignment(value, valueType, type, type.contains("CHAR") ? length : 0);
  }

  /** Returns all ways to store a value; each begins with the row (1, NULL). */
  List<Way> ways(Assignment a) {
    String create = "CREATE TABLE " + TABLE + " (id INTEGER PRIMARY KEY, v " + a.columnType + ")";
    String row = "INSERT INTO " + TABLE + " (id) VALUES (1)";
    List<Way> ways = new ArrayList<>();
    for (String insert :
        List.of(
            "VALUES (2, " + a.value + ")",
            "VALUES (2, NULL), (3, " + a.value + ")",
            "SELECT 2, " + a.value,
            "SELECT id + 1, " + a.value + " FROM " + TABLE,
            "SELECT 2, (SELECT " + a.value + ")",
            "SELECT 2, x FROM (SELECT " + a.value + " x) q",
            "WITH q (x) AS (SELECT " + a.value + ") SELECT 2, x FROM q",
            "VALUES (1, NULL) ON CONFLICT (id) DO UPDATE SET v = " + a.value)) {
      ways.add(new Way("INSERT", List.of(create, row, "INSERT INTO " + TABLE + " " + insert)));
    }
    for (String change :
        List.of(
            "UPDATE " + TABLE + " SET v = " + a.value,
            "UPDATE " + TABLE + " SET v = (SELECT " + a.value + ")",
            "UPDATE " + TABLE + " SET v = x FROM (SELECT " + a.value + " x) q WHERE id = 1",
            merge(a.value) + "WHEN MATCHED THEN UPDATE SET v = q.x",
            merge(a.value).replace("q.k", "q.k + 1")
                + "WHEN NOT MATCHED THEN INSERT (id, v) VALUES (2, q.x)")) {
      ways.add(new Way("change", List.of(create, row, change)));
    }
    String given = "CREATE TABLE " + SOURCE + " (id INTEGER PRIMARY KEY, v " + a.valueType + ")";
    String fill = "INSERT INTO " + SOURCE + " VALUES (1, " + a.value + ")";
    ways.add(
        new Way(
            "column",
            List.of(
                create,
                row,
                given,
                fill,
                "INSERT INTO " + TABLE + " SELECT id + 1, v FROM " + SOURCE)));
    ways.add(
        new Way(
            "column",
            List.of(
                create,
                row,
                given,
                fill,
                "UPDATE "
                    + TABLE
                    + " SET v = g.v FROM "
                    + SOURCE
                    + " g WHERE "
                    + TABLE
                    + ".id = 1")));
    ways.add(
        new Way(
            "ALTER TYPE",
            List.of(
                given.replace(SOURCE, TABLE),
                fill.replace(SOURCE, TABLE),
                "ALTER TABLE " + TABLE + " ALTER COLUMN v TYPE " + a.columnType)));
    return ways;
  }

  private static String merge(String value) {
    return "MERGE INTO "
        + TABLE
        + " USING (SELECT 1 k, "
        + value
        + " x) q ON "
        + TABLE
        + ".id = q.k ";
  }

  /** Returns a query of the stored value. */
  String stored() {
    return "SELECT v FROM " + TABLE + " WHERE v IS NOT NULL";
  }

  /** Returns a query of the value as an unlimited text. */
  String asText(Assignment a) {
    return "SELECT CAST(" + a.value + " AS VARCHAR)";
  }

  List<String> drops() {
    return List.of("DROP TABLE IF EXISTS " + TABLE, "DROP TABLE IF EXISTS " + SOURCE);
  }
}
