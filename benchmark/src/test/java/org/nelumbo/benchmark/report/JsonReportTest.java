package org.nelumbo.benchmark.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.benchmark.check.CheckResult;

class JsonReportTest {
  @TempDir Path directory;

  @Test
  void shouldReadWrittenResults() throws IOException {
    CheckResult check = new CheckResult("3.3.2.1", "after run", 2, List.of("w=1", "w=2"));
    List<RunResult> runs =
        List.of(
            SampleResults.committing(10, List.of(check)), SampleResults.committing(0, List.of()));
    Path file = directory.resolve("result.json");
    JsonReport.write(file, runs);
    assertEquals(runs, JsonReport.read(file));
  }

  @Test
  void shouldRejectUnknownFormatAndInvalidJson() throws IOException {
    Path file = Files.writeString(directory.resolve("other.json"), "{\"format\": 99}");
    assertThrows(IOException.class, () -> JsonReport.read(file));
    Files.writeString(file, "not JSON");
    assertThrows(IOException.class, () -> JsonReport.read(file));
  }
}
