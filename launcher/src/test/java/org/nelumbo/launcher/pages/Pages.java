package org.nelumbo.launcher.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The Markdown pages of the repository. */
final class Pages {
  static final Path ROOT = Path.of("..");

  private static final int DEPTH = 3;

  private Pages() {}

  static List<Path> all() throws IOException {
    try (Stream<Path> files = Files.find(ROOT, DEPTH, (file, _) -> isPage(file))) {
      return files.sorted().toList();
    }
  }

  private static boolean isPage(Path file) {
    String path = "/" + ROOT.relativize(file).toString().replace('\\', '/');
    return path.endsWith(".md")
        && !path.contains("/target/")
        && (!path.startsWith("/.") || path.startsWith("/.github/"));
  }

  static List<Path> below(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".md")).toList();
    }
  }

  /** Returns the fenced blocks of all pages. */
  static List<Block> blocks() throws IOException {
    List<Block> result = new ArrayList<>();
    for (Path page : all()) {
      result.addAll(Block.of(page));
    }
    return result;
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
