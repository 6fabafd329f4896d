package org.nelumbo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.simulation.run.FaultCommand;
import picocli.CommandLine;

/**
 * RESULT lines of all commands, as scripts read them: after RESULT and possibly the name of the
 * command, pairs of a key and a value. Neither is empty, and no key occurs twice.
 */
class ResultLinesTest {
  private static final Pattern LINE = Pattern.compile("(RESULT|TOTAL)( [a-z]+)?( \\S+)+");
  private static final Pattern PAIR = Pattern.compile("([a-z][a-z0-9_-]*%?)=(\\S+)");

  private static void assertWellFormed(String line) {
    assertTrue(LINE.matcher(line).matches(), line);
    Set<String> keys = new HashSet<>();
    List<String> words = List.of(line.split(" ", -1));
    int first = words.get(1).contains("=") ? 1 : 2;
    for (String word : words.subList(first, words.size())) {
      var pair = PAIR.matcher(word);
      assertTrue(pair.matches(), () -> "'" + word + "' in " + line);
      assertTrue(keys.add(pair.group(1)), () -> pair.group(1) + " twice in " + line);
    }
    assertFalse(keys.isEmpty(), line);
  }

  private static void assertPrintsResults(String command) {
    StringWriter out = new StringWriter();
    CommandLine line = Main.commandLine();
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(out, true));
    assertEquals(0, line.execute(command.split(" ")), out::toString);
    List<String> results =
        out.toString().lines().filter(text -> text.matches("(RESULT|TOTAL) .*")).toList();
    assertFalse(results.isEmpty(), out::toString);
    results.forEach(ResultLinesTest::assertWellFormed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sim --scenario bank --seed 3 --set transactions=5",
        "sim --scenario bank,crashes --seed 3 --seeds 2 --transactions 40 --set transactions=5",
        "sim check --generate 50",
        "sqlgen --statements 30",
        "soak crash --points 1",
        "bench kv --keys 200 --warmup 0s --duration 300ms",
        "bench kv --keys 200 --warmup 0s --duration 300ms --rate 500 --api native",
        "bench ycsb --records 200 --warmup 0s --duration 300ms",
        "bench smallbank --accounts 200 --warmup 0s --duration 300ms",
        "bench tatp --subscribers 100 --warmup 0s --duration 300ms",
        "bench tpcc --compact --warmup 0s --duration 300ms --isolation snapshot",
      })
  void shouldPrintKeysWithValues(String command) {
    assertPrintsResults(command);
  }

  private static Stream<String> protocols() {
    return Main.commandLine().getSubcommands().get("sim").getSubcommands().entrySet().stream()
        .filter(entry -> entry.getValue().getCommand() instanceof FaultCommand)
        .map(entry -> "sim " + entry.getKey() + " --seed 1 --seeds 1");
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void shouldPrintKeysWithValuesForEachProtocol(String command) {
    assertPrintsResults(command);
  }
}
