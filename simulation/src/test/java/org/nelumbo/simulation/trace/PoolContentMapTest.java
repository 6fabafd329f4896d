package org.nelumbo.simulation.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.simulation.fabric.SimMemory;
import org.nelumbo.simulation.scenario.Scenario;
import org.nelumbo.simulation.scenario.ScenarioRun;

/**
 * Checks that traces still describe the content that verbs access after methods of the engine are
 * renamed.
 */
class PoolContentMapTest {
  private static final Map<String, String> SHORT = Map.of("transactions", "10");

  /** The line of a verb: address, length, content, effect, caller. */
  private static final Pattern VERB =
      Pattern.compile(" \\d+:0x\\w+ \\+\\d+(?: \\(torn[^)]*\\))?  (?:(\\w+) .*  )?.*  by (\\S+)");

  /**
   * Methods whose verbs need no description: they access the roots of ordered indexes, or inline
   * slots that have not been written.
   */
  private static final List<String> UNNAMED =
      List.of("Navigator.", "OrderedIndex.", "Separators.swapRoot", "CvtReads.");

  @Test
  void shouldNameMethodsThatExist() {
    List<String> missing = new ArrayList<>();
    for (PostingMethod each : PostingMethod.ALL) {
      if (!exists(each)) {
        missing.add(each.toString());
      }
    }
    assertEquals(List.of(), missing, "methods have moved or got other names");
  }

  private static boolean exists(PostingMethod method) {
    try {
      Class<?> type =
          Class.forName(method.type(), false, PoolContentMapTest.class.getClassLoader());
      return Stream.of(type.getDeclaredMethods())
          .anyMatch(each -> each.getName().equals(method.method()));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bank-sql", "crashes", "growth"})
  void shouldDescribeContentAccessedByVerbs(String scenario) throws Exception {
    List<String> unknown = new ArrayList<>();
    List<String> kinds = new ArrayList<>();
    for (String line : trace(scenario).split("\n", -1)) {
      Matcher verb = VERB.matcher(line);
      if (verb.find()) {
        kinds.add(verb.group(1));
        if (verb.group(1) == null && UNNAMED.stream().noneMatch(verb.group(2)::startsWith)) {
          unknown.add(line);
        }
      }
    }
    assertEquals(List.of(), unknown);
    assertTrue(
        kinds.containsAll(List.of("superblock", "cvt", "record", "log", "node", "segment")),
        () -> "not in the trace, of " + kinds.stream().distinct().toList());
  }

  private static String trace(String name) throws Exception {
    StringBuilder out = new StringBuilder();
    new ScenarioRun(Scenario.load(name, SHORT), new SimMemory()).run(1001, Trace.to(out));
    return out.toString();
  }
}
