package org.nelumbo.launcher.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the documents: links have a target, and every page and decision is linked. */
class LinksTest {
  private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\(([^)#:]*)(?:#([^)]*))?\\)");
  private static final Pattern HEADING = Pattern.compile("^#+ +(.*)$", Pattern.MULTILINE);

  @Test
  void shouldHaveNoBrokenLinks() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : Pages.all()) {
      broken.addAll(brokenLinks(page));
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void shouldNoticeBrokenLinks(@TempDir Path folder) throws IOException {
    Path page =
        Files.writeString(
            folder.resolve("a.md"),
            "# A title, `b`\n[x](a.md) [y](nosuch.md) [z](http://b) [v](#a-title-b) [w](a.md#c)");
    assertEquals(List.of(page + " -> nosuch.md", page + " -> a.md#c"), brokenLinks(page));
  }

  @Test
  void shouldListEveryDecision() throws IOException {
    Path folder = Pages.ROOT.resolve("docs/decisions");
    String index = Files.readString(folder.resolve("README.md"));
    for (Path page : Pages.below(folder)) {
      String name = page.getFileName().toString();
      assertTrue(
          name.equals("README.md") || index.contains("](" + name + ")"),
          () -> "docs/decisions/README.md lacks " + name);
      assertTrue(
          name.equals("README.md") || Files.readString(page).contains("\n*Status: "),
          () -> page + " lacks its status");
    }
  }

  @Test
  void shouldListEveryPageInTheMap() throws IOException {
    Path folder = Pages.ROOT.resolve("docs");
    String map = Files.readString(folder.resolve("README.md"));
    String internals = Files.readString(folder.resolve("internals/README.md"));
    for (Path page : Pages.below(folder)) {
      String name = folder.relativize(page).toString();
      String inner = page.getFileName().toString();
      boolean isListed =
          name.equals("README.md")
              || name.startsWith("decisions/")
              || map.contains("](" + name + ")")
              || (name.startsWith("internals/") && internals.contains("](" + inner + ")"));
      assertTrue(isListed, () -> "docs/README.md lacks " + name);
    }
  }

  private static List<String> brokenLinks(Path page) throws IOException {
    List<String> result = new ArrayList<>();
    Matcher link = LINK.matcher(Pages.withoutCode(Files.readString(page)));
    while (link.find()) {
      String name = link.group(1);
      String anchor = link.group(2);
      Path target = name.isEmpty() ? page : page.resolveSibling(name);
      if (!Files.exists(target)) {
        result.add(page + " -> " + name);
      } else if (anchor != null && !anchors(target).contains(anchor)) {
        result.add(page + " -> " + name + "#" + anchor);
      }
    }
    return result;
  }

  /** Returns the anchors that GitHub generates for the headings of a page. */
  private static List<String> anchors(Path page) throws IOException {
    List<String> result = new ArrayList<>();
    Matcher heading = HEADING.matcher(Files.readString(page));
    while (heading.find()) {
      String text = heading.group(1).strip().toLowerCase(Locale.ROOT);
      result.add(text.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'));
    }
    return result;
  }
}
