package org.nelumbo.simulation.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.nelumbo.simulation.litmus.LitmusScript;

/** Checks that the scripts and tests in the table of docs/internals/invariants.md exist. */
class InvariantsTest {
  private static final Path ROOT = Path.of("..");
  private static final List<Integer> INVARIANTS = List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);

  private record Row(int invariant, List<String> scripts, List<String> tests) {}

  @Test
  void shouldNameTestsThatExist() throws IOException {
    Set<String> classes = testClasses();
    List<String> missing = new ArrayList<>();
    for (Row row : rows()) {
      assertFalse(row.tests.isEmpty(), "no test for invariant " + row.invariant);
      row.tests.stream().filter(test -> !classes.contains(test)).forEach(missing::add);
    }
    assertEquals(List.of(), missing);
  }

  @Test
  void shouldNameEveryInvariantAndTheScriptsThatExist() throws IOException {
    assertEquals(INVARIANTS, rows().stream().map(Row::invariant).toList());
    List<String> known = LitmusScript.names();
    for (Row row : rows()) {
      assertTrue(known.containsAll(row.scripts), row.toString());
    }
  }

  @Test
  void shouldStateEveryInvariantWithItsReason() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/architecture.md"));
    for (int invariant : INVARIANTS) {
      int begin = page.indexOf("\n### Invariant " + invariant + ": ");
      assertTrue(begin >= 0, "docs/architecture.md lacks invariant " + invariant);
      int text = page.indexOf('\n', begin + 1);
      String section = page.substring(text, page.indexOf("\n##", text));
      assertTrue(section.length() > 100, "no text for invariant " + invariant);
      assertTrue(section.contains("\n*Why:* "), "no reason for invariant " + invariant);
    }
  }

  @Test
  void shouldNameTheMethodsThatAttackEveryHole() throws IOException {
    List<String> scripts = LitmusScript.names();
    List<String> missing = new ArrayList<>();
    List<Path> files = testFiles();
    List<String[]> holes = rowsLike("\\| [A-Z]\\d .*");
    assertEquals(18, holes.size());
    for (String[] cells : holes) {
      names(cells[2]).stream().filter(script -> !scripts.contains(script)).forEach(missing::add);
      assertFalse(names(cells[3]).isEmpty(), "no test for" + cells[1]);
      for (String test : names(cells[3])) {
        if (!existsMethod(test, files)) {
          missing.add(test);
        }
      }
    }
    assertEquals(List.of(), missing);
  }

  private static boolean existsMethod(String test, List<Path> files) throws IOException {
    int dot = test.indexOf('.');
    String file = test.substring(0, dot) + ".java";
    String declared = "void " + test.substring(dot + 1) + "(";
    for (Path each : files) {
      if (each.endsWith(file) && Files.readString(each).contains(declared)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the test sources. Other folders are skipped, because their files change during a build.
   */
  private static List<Path> testFiles() throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path module : modules()) {
      Path sources = module.resolve("src/test/java");
      if (Files.isDirectory(sources)) {
        try (Stream<Path> found = Files.walk(sources)) {
          found.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
        }
      }
    }
    return files;
  }

  private static List<Path> modules() throws IOException {
    return Files.readAllLines(ROOT.resolve("pom.xml")).stream()
        .map(String::strip)
        .filter(line -> line.startsWith("<module>"))
        .map(line -> ROOT.resolve(line.replaceAll("</?module>", "")))
        .toList();
  }

  private static List<String[]> rowsLike(String pattern) throws IOException {
    return Files.readAllLines(ROOT.resolve("docs/internals/invariants.md")).stream()
        .filter(line -> line.matches(pattern))
        .map(line -> line.split("\\|", -1))
        .toList();
  }

  private static List<Row> rows() throws IOException {
    return rowsLike("\\| \\d+ .*").stream().map(InvariantsTest::row).toList();
  }

  private static Row row(String[] cells) {
    int invariant = Integer.parseInt(cells[1].strip().split(" ", 2)[0]);
    return new Row(invariant, names(cells[2]), names(cells[3]));
  }

  private static List<String> names(String cell) {
    return Stream.of(cell.strip().split(", ", -1)).filter(name -> !name.equals("-")).toList();
  }

  private static Set<String> testClasses() throws IOException {
    return testFiles().stream()
        .map(file -> file.getFileName().toString().replace(".java", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
