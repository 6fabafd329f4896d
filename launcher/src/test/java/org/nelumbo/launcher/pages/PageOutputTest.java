package org.nelumbo.launcher.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that programs still print the output in the pages, in all pages.
 *
 * <p>A block without a language is output, unless it has commands. The commands, or the Java
 * program, of the block before it must print it; in some pages, listed in {@link #stage}, a method
 * of this test does. Output may also be a part of a file of expected results.
 */
@Timeout(240)
class PageOutputTest {
  @TempDir private Path folder;

  private final PageShell shell = new PageShell();

  /** Produces the output blocks of a page, and compares them. */
  private interface Stage {
    void produce(List<Block> blocks) throws Exception;
  }

  private Stage stage(Path page) {
    return switch (Pages.ROOT.relativize(page).toString()) {
      case "docs/tutorial.md" -> this::runTutorial;
      case "docs/guide/compute-nodes.md" -> this::shareAPool;
      case "docs/guide/monitoring.md" -> this::fillAMemoryNode;
      case "docs/benchmarks/running.md" -> this::runABenchmark;
      case "docs/internals/checkers.md" -> this::checkAHistory;
      default -> this::runTheBlockBefore;
    };
  }

  private static Stream<Path> pages() throws IOException {
    return Pages.blocks().stream().filter(PageOutputTest::isProduced).map(Block::page).distinct();
  }

  private static boolean isProduced(Block block) {
    return block.isOutput() && !ExpectedResults.contain(block);
  }

  /** Returns the output blocks of a page, whose number the caller knows. */
  private static List<Block> outputs(List<Block> blocks, int count) {
    List<Block> result = blocks.stream().filter(PageOutputTest::isProduced).toList();
    assertEquals(count, result.size(), () -> "output in " + result);
    return result;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void shouldShowWhatIsPrinted(Path page) throws Exception {
    try (shell) {
      stage(page).produce(Block.of(page));
    }
  }

  @Test
  void shouldCompareAllButTimes() {
    List<String> printed =
        List.of("a", "| Statement rows=1 us=10 |", "wall time    3.5 s", "x 0x12 version=7", "z");
    assertPrinted(printed, "...", "Statement rows=1 us=9999");
    assertPrinted(printed, "wall time  12.0 s", "x ... version=8");
    assertPrinted(printed, "a", "...", "z");
    assertEquals("a\nz", OutputComparison.missing(List.of("a", "z"), printed));
    assertEquals("a", OutputComparison.missing(List.of("z", "...", "a"), printed));
    String rows = "Statement rows=2 us=10";
    assertEquals(rows, OutputComparison.missing(List.of(rows), printed));
  }

  @Test
  void shouldCompareNamesAndOrderOfCounters() {
    List<String> printed =
        List.of("node=0 address=10.0.0.1:5 frames=7 owner=process 7 on a (user b) live=0,2");
    assertPrinted(printed, "node=0 address=10.0.0.2:6 frames=8 ... live=0,2");
    for (String other :
        List.of("node=1 address=10.0.0.1:5 ...", "node=0 ... frames=7 live=0,2", "... live=0,1")) {
      assertEquals(other, OutputComparison.missing(List.of(other), printed));
    }
  }

  private static void assertPrinted(List<String> printed, String... shown) {
    assertEquals("", OutputComparison.missing(List.of(shown), printed));
  }

  @Test
  void shouldNoticeOutputThatNothingPrints() throws Exception {
    Path near = Path.of("").toAbsolutePath().relativize(folder);
    for (String output :
        List.of("```\na\n```\n", "```\n./nelumbo sim --list\n```\n```\na\n```\n")) {
      Path page = Files.writeString(near.resolve("page.md"), output);
      assertThrows(AssertionError.class, () -> stage(page).produce(Block.of(page)), output);
    }
  }

  private void runTheBlockBefore(List<Block> blocks) throws Exception {
    Block program = null;
    for (int i = 0; i < blocks.size(); i++) {
      Block block = blocks.get(i);
      if (block.isProgram()) {
        program = block;
      } else if (isProduced(block)) {
        Block before = before(blocks, i);
        boolean isJava = before.isProgram() || before.text().contains("./nelumbo java ");
        (isJava ? Output.of(JavaProgram.run(program.text(), folder)) : shell.run(before))
            .assertContains(block.lines(), block);
      }
    }
  }

  /** Returns the block that produces an output, or several outputs in a row. */
  private static Block before(List<Block> blocks, int index) {
    for (int i = index - 1; i >= 0; i--) {
      Block block = blocks.get(i);
      if (block.isScript() || block.isProgram()) {
        return block;
      }
      assertTrue(block.isOutput(), () -> "no command before the output in " + blocks.get(index));
    }
    throw new AssertionError("no command before the output in " + blocks.get(index));
  }

  /** Runs all commands of the page, and kills the memory node that its text tells to kill. */
  private void runTutorial(List<Block> blocks) throws Exception {
    Block program = null;
    Output last = null;
    NelumboProcess benchmark = null;
    for (Block block : blocks) {
      if (block.isProgram()) {
        program = block;
      } else if (block.text().contains("./nelumbo java ")) {
        last = Output.of(JavaProgram.run(program.text(), folder));
      } else if (block.text().contains("bench kv")) {
        benchmark = shell.startBenchmark(block);
      } else if (block.text().equals("./nelumbo status \"$URL\"")) {
        benchmark.awaitLine("after load: ");
        last = shell.run(block);
        shell.kill("127.0.0.1:7421");
      } else if (block.isScript()) {
        last = shell.run(block);
      } else if (block.isOutput()) {
        boolean isOfBenchmark = block.text().contains("RESULT benchmark=kv");
        (isOfBenchmark ? Output.of(benchmark.awaitEnd()) : last)
            .assertContains(block.lines(), block);
      }
    }
  }

  /**
   * Two dedicated compute nodes and a program share a pool; all of them end, the last by a kill.
   */
  private void shareAPool(List<Block> blocks) throws Exception {
    List<Block> shown = outputs(blocks, 4);
    String url = "jdbc:nelumbo://127.0.0.1:7420/shop";
    shell.startMemoryNode("127.0.0.1:7420", "64m");
    shell.run(List.of("init", url));
    NelumboProcess first = shell.start("compute-node", url, "--metrics", "127.0.0.1:0");
    first.awaitLine("metrics are at ");
    NelumboProcess second = shell.start("compute-node", url);
    second.awaitLine("compute node joined pool ");
    try (Connection program = DriverManager.getConnection(shell.actual(url));
        Statement sql = program.createStatement()) {
      sql.execute("CREATE TABLE t (id INT PRIMARY KEY)");
      Output.changing(() -> shell.run(List.of("status", url)))
          .assertContains(shown.get(1).lines(), shown.get(1));
      sql.execute("SHUTDOWN");
    }
    shell.run(List.of("shards", "move", url, "1-5/2", "2"));
    shutDown(url);
    Output.changing(() -> shell.run(List.of("shards", url)))
        .assertContains(shown.get(2).lines(), shown.get(2));
    first.terminate();
    Output.of(first.awaitEnd()).assertContains(shown.get(0).lines(), shown.get(0));
    second.close();
    NelumboProcess next =
        shell.start(
            List.of("-Dorg.slf4j.simpleLogger.log.org.nelumbo.database.open=info"),
            List.of("sql", url, "-e", "SELECT COUNT(*) FROM t"));
    Output.of(next.awaitEnd().replaceAll("(?m)^.* INFO .* - ", ""))
        .assertContains(shown.get(3).lines(), shown.get(3));
  }

  /** Lets this process leave a pool. */
  private void shutDown(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(shell.actual(url));
        Statement sql = connection.createStatement()) {
      sql.execute("SHUTDOWN");
    }
  }

  /** Restarts one of three memory nodes until its fill is observed, and kills it then. */
  private void fillAMemoryNode(List<Block> blocks) throws Exception {
    Block shown = outputs(blocks, 1).getFirst();
    int gap = shown.lines().indexOf("");
    String url = "jdbc:nelumbo://127.0.0.1:7420,127.0.0.1:7421,127.0.0.1:7422/shop";
    for (String address : List.of("127.0.0.1:7420", "127.0.0.1:7421", "127.0.0.1:7422")) {
      shell.startMemoryNode(address, "1g");
    }
    try (Connection program = DriverManager.getConnection(shell.actual(url) + "?create=true");
        Statement sql = program.createStatement()) {
      sql.execute("CREATE TABLE t (id INT PRIMARY KEY, v VARCHAR(100000))");
      sql.execute("INSERT INTO t SELECT x, REPEAT('abcdefgh', 12500) FROM SYSTEM_RANGE(1, 300)");
      Output status = Output.changing(() -> shell.run(List.of("status", url)));
      shell.kill("127.0.0.1:7421");
      status.assertContains(shown.lines().subList(gap, shown.lines().size()), shown);
      shell.startMemoryNode("127.0.0.1:7421", "1g");
      Output.changing(() -> statusWithRestart(url))
          .assertContains(shown.lines().subList(0, gap), shown);
      sql.execute("SHUTDOWN");
    }
  }

  /** Returns the status of a pool, and restarts a memory node if all of them are live. */
  private String statusWithRestart(String url) throws IOException, InterruptedException {
    String status = shell.run(List.of("status", url));
    if (status.contains("state=live")) {
      shell.kill("127.0.0.1:7421");
      shell.startMemoryNode("127.0.0.1:7421", "1g");
    }
    return status;
  }

  private void runABenchmark(List<Block> blocks) throws Exception {
    List<String> words =
        List.of("bench", "tpcc", "--compact", "--terminals=4", "--warmup=0s", "--duration=300ms");
    Block shown = outputs(blocks, 1).getFirst();
    Output.of(shell.run(words)).assertContains(shown.lines(), shown);
  }

  /** Checks the history that the output contains. */
  private void checkAHistory(List<Block> blocks) throws Exception {
    Block shown = outputs(blocks, 1).getFirst();
    List<String> history =
        shown.lines().stream().map(String::strip).filter(line -> line.matches("T\\d s.*")).toList();
    Path file = Files.write(folder.resolve("history"), history);
    Output.of(shell.run(List.of("sim", "check", file.toString())))
        .assertContains(shown.lines(), shown);
  }
}
