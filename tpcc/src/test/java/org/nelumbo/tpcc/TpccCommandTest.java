package org.nelumbo.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.benchmark.TypedCommand;
import org.nelumbo.cli.ExitStatus;

/** The command with the arguments of a user, on each database that needs no server. */
@Timeout(120)
class TpccCommandTest {
  private final TypedCommand tpcc =
      new TypedCommand("tpcc", "--compact", "--seed=11", "--warmup=100ms", "--duration=300ms");

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
    int status = tpcc.run("--url=" + real, "--terminals=3", "--warehouses=2");
    assertEquals(ExitStatus.DONE, status, tpcc::toString);
    assertTrue(tpcc.output().contains("after load: 12 of 12 checks hold"));
    assertTrue(tpcc.output().contains("after run: 13 of 13 checks hold"));
    String result = tpcc.lines("RESULT").getFirst();
    assertTrue(result.contains(" nopm="), result);
    assertTrue(result.contains(" consistent=true "), result);
    assertTrue(result.contains(" population=compact "), result);
  }

  @Test
  void shouldNotClaimMoreThanItMeasured() {
    assertEquals(ExitStatus.DONE, tpcc.run("--url=jdbc:h2:mem:t"));
    String text = tpcc.output();
    assertTrue(text.contains("new-orders/min (TPC-C-derived, unaudited, keying/think off)"));
    assertTrue(text.contains("COMPACT POPULATION"));
    assertTrue(text.contains("not comparable with published TPC-C results"));
    assertFalse(text.toLowerCase(java.util.Locale.ROOT).contains("tpmc"));
  }

  @Test
  void shouldDeclareForeignKeysOnlyWhereItCan() {
    assertEquals(ExitStatus.DONE, tpcc.run("--url=jdbc:h2:mem:t", "--foreign-keys"), tpcc::errors);
    int status = tpcc.run("--url=jdbc:sqlite:" + directory.resolve("f.db"), "--foreign-keys");
    assertEquals(ExitStatus.FAILED, status);
    assertTrue(tpcc.errors().contains("leave out --foreign-keys"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc:h2:mem:c", "jdbc:nelumbo:mem:c native"})
  void shouldLabelThePrototypesVariant(String target) {
    String url = target.split(" ", -1)[0];
    String api = target.endsWith("native") ? "native" : "jdbc";
    TypedCommand compat =
        new TypedCommand("tpcc", "--compat", "--seed=11", "--warmup=100ms", "--duration=300ms");
    int status = compat.run("--url=" + url, "--api=" + api, "--terminals=2");
    assertEquals(ExitStatus.DONE, status, compat::toString);
    String text = compat.output();
    assertTrue(text.contains("after load: 12 of 12 checks hold"));
    assertTrue(text.contains("after run: 11 of 11 checks hold"));
    assertTrue(text.contains("tpcc-compat on "));
    assertTrue(text.contains("reduced variant of the prototypes, unaudited"));
    assertTrue(text.contains("deviation: COMPAT"));
    assertTrue(text.contains("RESULT benchmark=tpcc-compat "));
  }

  @Test
  void shouldRefuseTwoPopulations() {
    assertEquals(ExitStatus.USAGE, tpcc.run("--compat"));
    assertTrue(tpcc.errors().contains("leave out --compact"));
  }

  @Test
  void shouldRefuseToRunWithoutAWarehouse() {
    assertEquals(ExitStatus.USAGE, tpcc.run("--url=jdbc:h2:mem:t", "--warehouses=0"));
  }

  @Test
  void shouldWaitForKeyingAndThinkTimes() {
    assertEquals(ExitStatus.DONE, tpcc.run("--url=jdbc:h2:mem:t", "--keying-think"));
    assertTrue(tpcc.output().contains("keying/think on)"));
    assertTrue(tpcc.output().contains(" committed=0 "), "nobody keys that fast");
  }
}
