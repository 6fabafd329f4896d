package org.nelumbo.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.benchmark.BenchmarkMain;
import org.nelumbo.benchmark.ExitStatus;
import picocli.CommandLine;

/** The command as a user types it, on each database that needs no server. */
@Timeout(120)
class TpccCommandTest {
  private final StringWriter output = new StringWriter();
  private final StringWriter errors = new StringWriter();

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:h2:mem:t",
        "jdbc:hsqldb:mem:t;hsqldb.tx=mvcc",
        "jdbc:hsqldb:mem:l",
        "jdbc:sqlite:DIRECTORY/t.db"
      })
  void shouldRunAndStayConsistentOnEveryPeer(String url) {
    String real = url.replace("DIRECTORY", directory.toString());
    int status = tpcc("--url=" + real, "--terminals=3", "--warehouses=2");
    assertEquals(ExitStatus.DONE, status, () -> output.toString() + errors);
    assertTrue(output.toString().contains("after load: 12 of 12 checks hold"));
    assertTrue(output.toString().contains("after run: 13 of 13 checks hold"));
    String result = output.toString().lines().filter(l -> l.startsWith("RESULT")).findAny().get();
    assertTrue(result.contains(" nopm="), result);
    assertTrue(result.contains(" consistent=true "), result);
    assertTrue(result.contains(" population=compact "), result);
  }

  @Test
  void shouldNotClaimMoreThanItMeasured() {
    assertEquals(ExitStatus.DONE, tpcc("--url=jdbc:h2:mem:t"));
    String text = output.toString();
    assertTrue(text.contains("new-orders/min (TPC-C-derived, unaudited, keying/think off)"));
    assertTrue(text.contains("COMPACT POPULATION"));
    assertTrue(text.contains("not comparable with published TPC-C results"));
    assertFalse(text.toLowerCase(java.util.Locale.ROOT).contains("tpmc"));
  }

  @Test
  void shouldDeclareForeignKeysOnlyWhereItCan() {
    assertEquals(ExitStatus.DONE, tpcc("--url=jdbc:h2:mem:t", "--foreign-keys"), errors::toString);
    int status = tpcc("--url=jdbc:sqlite:" + directory.resolve("f.db"), "--foreign-keys");
    assertEquals(ExitStatus.FAILED, status);
    assertTrue(errors.toString().contains("leave out --foreign-keys"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc:h2:mem:c", "jdbc:nelumbo:mem:c native"})
  void shouldLabelThePrototypesVariant(String target) {
    String url = target.split(" ", -1)[0];
    String api = target.endsWith("native") ? "native" : "jdbc";
    int status = run("--compat", "--url=" + url, "--api=" + api, "--terminals=2");
    assertEquals(ExitStatus.DONE, status, () -> output.toString() + errors);
    String text = output.toString();
    assertTrue(text.contains("after load: 12 of 12 checks hold"));
    assertTrue(text.contains("after run: 11 of 11 checks hold"));
    assertTrue(text.contains("tpcc-compat on "));
    assertTrue(text.contains("reduced variant of the prototypes, unaudited"));
    assertTrue(text.contains("deviation: COMPAT"));
    assertTrue(text.contains("RESULT benchmark=tpcc-compat "));
  }

  @Test
  void shouldRefuseTwoPopulations() {
    assertEquals(ExitStatus.USAGE, tpcc("--compat"));
    assertTrue(errors.toString().contains("leave out --compact"));
  }

  @Test
  void shouldRefuseToRunWithoutAWarehouse() {
    assertEquals(ExitStatus.USAGE, tpcc("--url=jdbc:h2:mem:t", "--warehouses=0"));
  }

  @Test
  void shouldTakeItsTimeWithKeyingAndThinking() {
    assertEquals(ExitStatus.DONE, tpcc("--url=jdbc:h2:mem:t", "--keying-think"));
    assertTrue(output.toString().contains("keying/think on)"));
    assertTrue(output.toString().contains(" committed=0 "), "nobody keys that fast");
  }

  private int tpcc(String... options) {
    List<String> all = new ArrayList<>(List.of("--compact"));
    all.addAll(List.of(options));
    return run(all.toArray(String[]::new));
  }

  private int run(String... options) {
    List<String> arguments = new ArrayList<>(List.of("tpcc", "--seed=11"));
    arguments.addAll(List.of("--warmup=100ms", "--duration=300ms"));
    arguments.addAll(List.of(options));
    CommandLine bench = BenchmarkMain.commandLine();
    bench.setOut(new PrintWriter(output));
    bench.setErr(new PrintWriter(errors));
    return bench.execute(arguments.toArray(String[]::new));
  }
}
