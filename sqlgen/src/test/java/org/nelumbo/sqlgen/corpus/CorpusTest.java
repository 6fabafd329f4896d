package org.nelumbo.sqlgen.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/**
 * Runs some areas of our statements in each build: those that cannot be tested elsewhere, or that
 * change most.
 */
@Timeout(120)
class CorpusTest {
  private static final String AREAS = "^(upsert|indexes|temporary|locking|grouping|h2)\\.";

  private static final Path PAGE = Path.of("../docs/guide/compatibility.md");

  private static String run(String... arguments) {
    StringWriter out = new StringWriter();
    new CommandLine(new CorpusCommand()).setOut(new PrintWriter(out)).execute(arguments);
    return out.toString();
  }

  /**
   * After an improvement, run {@code ./nelumbo sqllogictest} and copy its table into the page; no
   * result may become worse.
   */
  @Test
  void shouldMatchResultTableInPage() throws IOException {
    String said = run("--examples", "9", "--files", AREAS);
    List<String> page = Files.readAllLines(PAGE);
    List<String> rows =
        said.lines().filter(line -> line.startsWith("| ") && line.endsWith("% |")).toList();
    assertEquals(AREAS.split("\\|").length + 1, rows.size(), said);
    for (String row : rows.subList(0, rows.size() - 1)) {
      String area = row.substring(0, row.indexOf('|', 1) + 1);
      String known = page.stream().filter(line -> line.startsWith(area)).findFirst().orElse("");
      assertEquals(known, row, () -> "run ./nelumbo sqllogictest; here it said:\n" + said);
    }
  }
}
