package org.nelumbo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.cli.Run;

@Timeout(300)
class SoakCommandTest {
  @TempDir private Path directory;

  @Test
  void shouldSurviveTheDeathOfAClientAndOfAMemoryNode() throws Exception {
    Run run =
        Run.of(
            Main.class,
            "",
            "soak",
            "cluster",
            "--rounds=2",
            "--seed=1",
            "--faults=kill-client,kill-node",
            "--errors=" + directory.resolve("errors.log"));
    assertEquals(0, run.status(), run::all);
    assertTrue(run.out().contains("kill-client=1"), run::all);
    assertTrue(run.out().contains("kill-node=1"), run::all);
    assertTrue(run.out().contains(" rounds=2 "), run::all);
    assertTrue(run.out().contains(" violations=0 "), run::all);
  }

  @Test
  void shouldNameUnknownFaultsAndParts() throws Exception {
    Run fault = Run.of(Main.class, "", "soak", "cluster", "--faults=flood");
    assertEquals(2, fault.status(), fault::all);
    assertTrue(fault.err().contains("'flood' is not a fault"), fault::all);
    Run part = Run.of(Main.class, "", "soak", "--parts=tea");
    assertEquals(2, part.status(), part::all);
    assertTrue(part.err().contains("'tea' is not a part"), part::all);
  }
}
