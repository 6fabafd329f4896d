package org.nelumbo.arch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The Markdown pages: README, those of the modules, and all of docs. */
final class Pages {
  static final Path ROOT = Path.of("..");

  private Pages() {}

  static List<Path> all() throws IOException {
    List<Path> result = new ArrayList<>(below(ROOT.resolve("docs")));
    try (Stream<Path> files = Files.find(ROOT, 3, (file, _) -> isReadme(file))) {
      files.forEach(result::add);
    }
    return result;
  }

  private static boolean isReadme(Path file) {
    String path = file.toString().replace('\\', '/');
    return file.endsWith("README.md")
        && !path.contains("/target")
        && !path.startsWith(ROOT + "/docs/")
        && !path.startsWith(ROOT + "/.");
  }

  static List<Path> below(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".md")).toList();
    }
  }

  /** Returns the page without its code blocks; all lines keep their numbers. */
  static String withoutCode(String page) {
    StringBuilder result = new StringBuilder();
    boolean isCode = false;
    for (String line : page.split("\n", -1)) {
      boolean isFence = line.strip().startsWith("```");
      result.append(isCode || isFence ? "" : line).append('\n');
      isCode ^= isFence;
    }
    return result.toString();
  }
}
