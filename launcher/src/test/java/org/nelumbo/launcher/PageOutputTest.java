package org.nelumbo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.node.MemoryNode;
import picocli.CommandLine;

/**
 * Checks that commands still print the output in the pages. The command must print each line of the
 * page, in that order; {@code ...} stands for any text, or for any lines. Times, bytes, addresses
 * and versions may differ.
 */
@Timeout(240)
class PageOutputTest {
  private static final Path GUIDE = Path.of("../docs/guide");
  private static final List<String> RUN = List.of("sql", "init", "sim");
  private static final Pattern ADDRESS = Pattern.compile("127\\.0\\.0\\.1:(74\\d\\d)");

  private final List<MemoryNode> nodes = new ArrayList<>();

  @AfterEach
  void closeNodes() {
    nodes.forEach(MemoryNode::close);
  }

  @Test
  void shouldPrintOutputShownInTutorial() throws IOException {
    assertPrintsWhatIsShown(Path.of("../docs/tutorial.md"), 6);
  }

  @Test
  void shouldPrintOutputShownInSqlGuide() throws IOException {
    assertPrintsWhatIsShown(GUIDE.resolve("sql.md"), 1);
  }

  @Test
  void shouldCompareAllButTimes() {
    List<String> printed =
        List.of("a", "| Statement rows=1 us=10 |", "wall time    3.5 s", "x 0x12 version=7", "z");
    assertTrue(missing(List.of("...", "Statement rows=1 us=9999"), printed).isEmpty());
    assertTrue(missing(List.of("wall time  12.0 s", "x ... version=8"), printed).isEmpty());
    assertEquals("a", missing(List.of("z", "a"), printed));
    assertEquals("Statement rows=2 us=10", missing(List.of("Statement rows=2 us=10"), printed));
  }

  private void assertPrintsWhatIsShown(Path page, int count) throws IOException {
    int compared = 0;
    for (PageCommands.Shown shown : PageCommands.of(page)) {
      if (RUN.contains(shown.words().getFirst())) {
        String printed = run(shown.words());
        String missing = missing(shown.output(), printed.lines().toList());
        assertEquals("", missing, () -> page + ": " + shown.line() + " prints\n" + printed);
        compared++;
      }
    }
    assertEquals(count, compared, "commands of " + page + " that were run");
  }

  /**
   * Returns the first line that is not printed after the lines before it; an empty text if all are.
   */
  private static String missing(List<String> shown, List<String> printed) {
    int next = 0;
    for (String line : shown) {
      if (line.isBlank() || line.strip().equals("...")) {
        continue;
      }
      Pattern pattern = Pattern.compile(Pattern.quote(normal(line)).replace("...", "\\E.*\\Q"));
      while (next < printed.size() && !pattern.matcher(normal(printed.get(next))).matches()) {
        next++;
      }
      if (next == printed.size()) {
        return line;
      }
      next++;
    }
    return "";
  }

  /** Removes the parts of a line that differ from run to run. */
  private static String normal(String line) {
    return line.strip()
        .replaceAll("^\\| | +\\|$", "")
        .replaceAll("(us|bytes)=\\d+", "$1=N")
        .replaceAll("\\b\\d[\\d,.]* s\\b", "N s")
        .replaceAll("^\\d+\\.\\d{3} ", "T ")
        .replaceAll("0x[0-9a-f]+", "0xN")
        .replaceAll("version=\\d+", "version=N")
        .replaceAll("\\s+", " ")
        .strip();
  }

  private String run(List<String> words) throws IOException {
    List<String> arguments = new ArrayList<>();
    for (String word : words) {
      arguments.add(withNodes(word));
    }
    if (words.getFirst().equals("sql")) {
      arguments.addAll(List.of("-e", "SHUTDOWN")); // as the end of the process does
    }
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    System.setOut(out);
    try {
      CommandLine line = Main.commandLine();
      line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
      int status = line.execute(arguments.toArray(String[]::new));
      assertEquals(0, status, () -> words + " prints " + printed);
    } finally {
      System.setOut(console);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  /** Replaces the addresses of the page by those of running nodes. */
  private String withNodes(String text) throws IOException {
    Matcher address = ADDRESS.matcher(text);
    StringBuilder result = new StringBuilder();
    int node = 0;
    while (address.find()) {
      if (node == nodes.size()) {
        nodes.add(
            new MemoryNode(
                new SystemEnvironment(),
                LocalMemory.reserve(64 << 20),
                new NodeAddress("127.0.0.1", 0),
                MemoryNode.Options.DEFAULT));
        nodes.get(node).start();
      }
      address.appendReplacement(result, nodes.get(node++).address().toString());
    }
    assertFalse(text.contains("$"), text);
    return address.appendTail(result).toString();
  }
}
