package org.nelumbo.sqlgen;

import java.util.ArrayList;
import java.util.List;

/**
 * A generator of scenarios in which a constraint holds at the end of a statement but not between
 * its rows: unique values and keys that are swapped, rows that refer to later ones, and referenced
 * keys that move to other rows.
 */
final class PermutationMaker {
  private static final int MANY = 150;

  private final Dice dice;

  PermutationMaker(Dice dice) {
    this.dice = dice;
  }

  Scenario scenario() {
    Scenario scenario = new Scenario(dice);
    switch (dice.below(4)) {
      case 0 -> references(scenario);
      case 1 -> handedOn(scenario);
      default -> exchanges(scenario);
    }
    return scenario;
  }

  private int size() {
    return dice.chance(15) ? 60 + dice.below(MANY - 60) : 2 + dice.below(8);
  }

  private void exchanges(Scenario scenario) {
    boolean byKey = dice.chance(60);
    String found = byKey ? "id" : "u";
    String moved = byKey ? "u" : "id";
    String deferrable = " " + DatabaseSession.DEFERRABLE;
    scenario.create(
        "s0",
        "id INTEGER PRIMARY KEY"
            + (byKey ? "" : deferrable)
            + ", u INTEGER UNIQUE"
            + (byKey ? deferrable : "")
            + ", v INTEGER");
    int size = size();
    List<String> rows = new ArrayList<>();
    for (int i = 1; i <= size; i++) {
      rows.add("(" + i + ", " + i + ", " + dice.below(5) + ")");
    }
    scenario.fill("s0", rows);
    for (int i = 1 + dice.below(3); i > 0; i--) {
      exchange(scenario, found, moved, size);
    }
  }

  private void exchange(Scenario scenario, String found, String moved, int size) {
    List<Integer> values = dice.permutation(size);
    int kept = dice.chance(50) ? size : 1 + dice.below(size);
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < kept; i++) {
      pairs.add((i + 1) + ", " + (dice.chance(2) ? size + 2 + dice.below(3) : values.get(i) + 1));
    }
    if (dice.chance(30)) { // a new row takes a value that is released by other rows
      pairs.set(0, "1, " + (size + 10));
      pairs.add((size + 20) + ", " + (values.getFirst() + 1));
    }
    if (dice.chance(50)) {
      pairs = pairs.reversed();
    }
    String source = "(VALUES (" + String.join("), (", pairs) + ")) s(a, b)";
    String merge =
        "MERGE INTO s0 USING "
            + source
            + " ON s0."
            + found
            + " = s.a WHEN MATCHED"
            + dice.of("", "", " AND s0.v < 4")
            + " THEN UPDATE SET "
            + moved
            + " = s.b";
    String added = found + ", " + moved + ", v";
    scenario.change(
        "s0",
        switch (dice.below(6)) {
          case 0, 1 ->
              merge
                  + " WHEN NOT MATCHED THEN INSERT ("
                  + added
                  + ") VALUES (s.a, s.b, "
                  + dice.below(5)
                  + ")";
          case 2 -> merge;
          case 3 ->
              "UPDATE s0 SET " + moved + " = s.b FROM " + source + " WHERE s0." + found + " = s.a";
          default ->
              "INSERT INTO s0 ("
                  + added
                  + ") "
                  + (dice.chance(50)
                      ? "VALUES (" + String.join(", 0), (", pairs) + ", 0)"
                      : "SELECT s.a, s.b, 0 FROM " + source)
                  + " ON CONFLICT ("
                  + found
                  + ") DO UPDATE SET "
                  + moved
                  + " = excluded."
                  + moved
                  + dice.of("", "", " WHERE s0.v < 4");
        });
  }

  /** Inserts rows that refer to earlier and later rows of the same statement. */
  private void references(Scenario scenario) {
    scenario.create("s0", "id INTEGER PRIMARY KEY, r INTEGER REFERENCES s0 (id), v INTEGER");
    int size = size();
    List<Integer> referred = dice.permutation(size);
    List<String> rows = new ArrayList<>();
    for (int i = 1; i <= size; i++) {
      int other = dice.chance(1) ? size + 1 : referred.get(i - 1) + 1;
      rows.add("(" + i + ", " + (dice.chance(10) ? "NULL" : other) + ")");
    }
    String source = "(VALUES " + String.join(", ", rows) + ") s(a, b)";
    scenario.change(
        "s0",
        switch (dice.below(3)) {
          case 0 -> "INSERT INTO s0 SELECT a, b, 0 FROM " + source;
          case 1 ->
              "INSERT INTO s0 SELECT x, CASE WHEN x < "
                  + size
                  + " THEN x + 1 END, 0 FROM GENERATE_SERIES(1, "
                  + size
                  + ") g(x)";
          default ->
              "MERGE INTO s0 USING "
                  + source
                  + " ON s0.id = s.a WHEN NOT MATCHED THEN INSERT (id, r, v) VALUES (s.a, s.b, 0)";
        });
    scenario.change("s0", "INSERT INTO s0 SELECT id + 1000, r + 1000, 1 FROM s0");
    scenario.change(
        "s0",
        dice.of(
            "DELETE FROM s0 WHERE id > 1000",
            "DELETE FROM s0 WHERE v = 1",
            "DELETE FROM s0",
            "UPDATE s0 SET r = id"));
  }

  /** Moves referenced keys to the next row, beginning with the greatest. */
  private void handedOn(Scenario scenario) {
    scenario.create("s0", "id INTEGER PRIMARY KEY, v INTEGER");
    scenario.create(
        "s1",
        "id INTEGER PRIMARY KEY, r INTEGER REFERENCES s0 (id)"
            + dice.of("", " ON UPDATE NO ACTION", " ON DELETE CASCADE"));
    int size = 2 + dice.below(8);
    List<String> rows = new ArrayList<>();
    List<String> references = new ArrayList<>();
    for (int i = size; i > 0; i--) {
      rows.add("(" + i + ", " + dice.below(3) + ")");
      if (dice.chance(50) || i == size) {
        references.add("(" + i + ", " + (dice.chance(90) ? Math.max(i, 2) : 1) + ")");
      }
    }
    scenario.fill("s0", rows);
    scenario.fill("s1", references);
    scenario.change(
        "s0",
        "UPDATE s0 SET id = id + 1, v = v + 1"
            + dice.of("", "", " WHERE v < 2", " WHERE id > " + dice.below(size)));
    scenario.add("SELECT COUNT(*) FROM s0 JOIN s1 ON s0.id = s1.r", false);
  }
}
