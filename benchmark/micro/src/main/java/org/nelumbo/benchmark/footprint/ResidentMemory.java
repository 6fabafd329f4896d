package org.nelumbo.benchmark.footprint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The resident memory of this process. */
final class ResidentMemory {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";

  private ResidentMemory() {}

  /** Returns the bytes, or 0 if the operating system does not report them. */
  static long bytes() throws IOException {
    if (!Files.exists(STATUS)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith(RESIDENT))
          .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElse(0);
    }
  }
}
