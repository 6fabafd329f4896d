package org.nelumbo.launcher.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Files of the tests of the simulator: litmus tests, and expected states and verbs. */
final class ExpectedResults {
  private static final Path SOURCES = Pages.ROOT.resolve("simulation/src");
  private static final List<List<String>> FILES = read();

  private ExpectedResults() {}

  /** Returns true if the lines of a block are a part of a file. */
  static boolean contain(Block block) {
    return FILES.stream().anyMatch(file -> OutputComparison.missing(block.lines(), file).isEmpty());
  }

  private static boolean isOne(Path file) {
    return file.toString().matches(".*\\.(litmus|stops|trace)");
  }

  private static List<List<String>> read() {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      List<List<String>> result = new ArrayList<>();
      for (Path file : files.filter(ExpectedResults::isOne).toList()) {
        result.add(Files.readAllLines(file));
      }
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
