package org.nelumbo.arch;

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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The vocabulary has every class of the engine, but for those whose last word anybody knows from
 * English, Java or SQL.
 */
class VocabularyTest {
  private static final Path PAGE = Pages.ROOT.resolve("docs/vocabulary.md");
  private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w*)`");
  private static final Pattern LAST_WORD = Pattern.compile(".*?([A-Z][a-z0-9]*)");
  private static final Pattern SPACE = Pattern.compile("\\s+");

  /** Most without the s of their plural. */
  private static final Set<String> PLAIN =
      Set.of(
          SPACE.split(
              """
              Access Accumulator Address Aggregate Alignment All Arithmetic Assignment Batch
              Bound Buffer Builder Byte Calendar Call Cast Change Channel Check Coalesce Code
              Column Comparison Compiler Connection Connective Constraint Context Copy Count
              Database Decimal Default Definition Delete Direction Distinct End Entry Eraser
              Error Estimate Exception Execution Explanation Expression Factory Field File Filler
              Filter Flush Format Frame From Function Grouping Header Holder Identity Info Insert
              Key Layout Like Limit List Literal Mapping Memory Meter Mode Name Not Number Op
              Opener Operation Operator Option Overflow Parameter Pattern Plan Planner Pool
              Projection Queries Range Reader Reference Registry Relation Result Rewriter Row
              Runner Savepoint Scan Schema Sequence Set Sort Source Stack Statistic Substring
              Support System Table Test Text Tls Traffic Transaction Translator Type Unit Update
              Use Utf8 Validator View Violation When Workspace Writer
              """
                  .strip(),
              -1));

  @Test
  void shouldHaveEveryWordThatIsNotPlain() throws IOException {
    String page = Files.readString(PAGE);
    List<String> missing = new ArrayList<>();
    for (String module : List.of("storage-dm", "executor", "planner")) {
      for (String name : classes(Pages.ROOT.resolve(module).resolve("src/main/java"))) {
        if (!page.contains("`" + name + "`") && !isPlain(name)) {
          missing.add(name);
        }
      }
    }
    assertEquals(List.of(), missing, "needs a row in " + PAGE);
  }

  @Test
  void shouldNameClassesThatExist() throws IOException {
    Set<String> known = new TreeSet<>();
    for (String module : List.of("storage-dm", "executor", "planner", "simulation")) {
      known.addAll(classes(Pages.ROOT.resolve(module).resolve("src/main/java")));
    }
    List<String> unknown = new ArrayList<>();
    Matcher name = CLASS.matcher(Files.readString(PAGE));
    while (name.find()) {
      if (!known.contains(name.group(1))) {
        unknown.add(name.group(1));
      }
    }
    assertEquals(List.of(), unknown);
  }

  @Test
  void shouldTellPlainWords() {
    assertTrue(isPlain("TableOptions"));
    assertTrue(isPlain("Limit"));
    assertFalse(isPlain("RowSteward"));
  }

  private static boolean isPlain(String name) {
    Matcher last = LAST_WORD.matcher(name);
    return last.matches()
        && (PLAIN.contains(last.group(1)) || PLAIN.contains(last.group(1).replaceAll("s$", "")));
  }

  private static Set<String> classes(Path sources) throws IOException {
    Set<String> result = new TreeSet<>();
    try (Stream<Path> files = Files.walk(sources)) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".java") && !name.equals("package-info.java"))
          .forEach(name -> result.add(name.replace(".java", "")));
    }
    return result;
  }
}
