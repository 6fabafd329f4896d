package org.nelumbo.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documents: links lead somewhere, and every decision can be found. */
class DocumentsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\(([^)#:]+)(#[^)]*)?\\)");

  @Test
  void shouldHaveLinksThatLeadSomewhere() throws IOException {
    List<Path> pages = new ArrayList<>(pagesBelow(ROOT.resolve("docs")));
    pages.add(ROOT.resolve("README.md"));
    pages.add(ROOT.resolve("sql-parser/README.md"));
    List<String> broken = new ArrayList<>();
    for (Path page : pages) {
      broken.addAll(brokenLinks(page));
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void shouldNoticeBrokenLinks(@TempDir Path folder) throws IOException {
    Path page = Files.writeString(folder.resolve("a.md"), "[x](a.md) [y](nosuch.md) [z](http://b)");
    assertEquals(List.of(page + " -> nosuch.md"), brokenLinks(page));
  }

  @Test
  void shouldListEveryDecision() throws IOException {
    Path folder = ROOT.resolve("docs/decisions");
    String index = Files.readString(folder.resolve("README.md"));
    for (Path page : pagesBelow(folder)) {
      String name = page.getFileName().toString();
      assertTrue(
          name.equals("README.md") || index.contains("](" + name + ")"),
          () -> "docs/decisions/README.md lacks " + name);
    }
  }

  private static List<Path> pagesBelow(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".md")).toList();
    }
  }

  private static List<String> brokenLinks(Path page) throws IOException {
    List<String> result = new ArrayList<>();
    Matcher link = LINK.matcher(Files.readString(page));
    while (link.find()) {
      if (!Files.exists(page.resolveSibling(link.group(1)))) {
        result.add(page + " -> " + link.group(1));
      }
    }
    return result;
  }
}
