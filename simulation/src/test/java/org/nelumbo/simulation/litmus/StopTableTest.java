package org.nelumbo.simulation.litmus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.session.ConflictPolicy;
import org.nelumbo.session.Isolation;
import org.nelumbo.simulation.fault.StopPoint;

/**
 * Compares the state that T1 leaves at each stop with files that document the protocol. {@code
 * ./mvnw -pl simulation -am test -Dtest=StopTableTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Dnelumbo.test.jvm=-Dnelumbo.rewrite=true} rewrites them.
 */
class StopTableTest {
  private static final Path FILES = Path.of("src/test/resources/org/nelumbo/simulation/litmus");

  @ParameterizedTest
  @ValueSource(strings = {"direct-write", "direct-insert", "direct-delete"})
  void shouldMatchRecordedStopTables(String name) throws IOException {
    String table =
        StopTable.of(
            new LitmusRun(),
            LitmusScript.load(name),
            Isolation.SERIALIZABLE,
            ConflictPolicy.WAIT_DIE,
            3,
            0,
            StopPoint.Kind.VERB);
    Path file = FILES.resolve(name + ".stops");
    if (Boolean.getBoolean("nelumbo.rewrite")) {
      Files.createDirectories(FILES);
      Files.writeString(file, table);
    }
    assertEquals(Files.readString(file), table);
  }
}
