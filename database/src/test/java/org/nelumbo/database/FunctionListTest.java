package org.nelumbo.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.nelumbo.error.NelumboException;
import org.nelumbo.planner.function.NelumboOperators;

/**
 * Checks the list of functions in the guide: each example has the stated result, and no function is
 * missing.
 */
class FunctionListTest {
  private static final Pattern ROW = Pattern.compile("\\| `(.*)` \\| `(.*)` \\|");

  private record Example(String expression, String result) {}

  private static List<Example> examples() throws IOException {
    List<Example> examples = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("../docs/guide/functions.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        examples.add(new Example(row.group(1).replace("\\|", "|"), row.group(2)));
      }
    }
    return examples;
  }

  @Test
  void shouldReturnResultsShownInGuide() throws IOException {
    List<String> wrong = new ArrayList<>();
    try (Database database = Sql.memory();
        Sql sql = new Sql(database)) {
      sql.run("CREATE SEQUENCE s");
      sql.run("CREATE TABLE t (n INTEGER PRIMARY KEY, v VARCHAR(1))");
      sql.run("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
      for (Example example : examples()) {
        boolean aggregate = Pattern.compile("\\b[nv]\\b").matcher(example.expression).find();
        String query =
            "SELECT CAST(" + example.expression + " AS VARCHAR)" + (aggregate ? " FROM t" : "");
        String actual;
        try {
          actual = String.join("; ", sql.query(query));
        } catch (NelumboException e) {
          actual = e.sqlState() + " " + e.getMessage();
        }
        if (!actual.equals(example.result)) {
          wrong.add(example.expression + " is " + actual + ", not " + example.result);
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  @Test
  void shouldListAllFunctions() throws IOException {
    String all = String.join("\n", examples().stream().map(Example::expression).toList());
    Set<String> missing = new TreeSet<>();
    for (String name : NelumboOperators.addedNames()) {
      if (!Pattern.compile("\\b" + name + "\\b").matcher(all).find()) {
        missing.add(name);
      }
    }
    assertEquals(Set.of(), missing);
    assertTrue(examples().size() > 100, () -> "only " + all.lines().count());
  }
}
