package org.nelumbo.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that first sentences of Javadoc are understandable on their own. */
class JavadocTest {
  /**
   * A first sentence that refers to another comment. A reader who comes from a search or a link
   * lacks that comment.
   */
  private static final Pattern THE_SAME = Pattern.compile("/\\*\\*\\s+(\\*\\s+)?The same\\b");

  @Test
  void shouldNameThingsInsteadOfTheSame() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path source : sources()) {
      if (THE_SAME.matcher(Files.readString(source)).find()) {
        found.add(source);
      }
    }
    assertEquals(List.of(), found);
  }

  @Test
  void shouldNoticeTheSame() {
    assertTrue(THE_SAME.matcher("/" + "** The same with two keys. */").find());
    assertTrue(THE_SAME.matcher("/" + "**\n   * The same with two keys.\n   */").find());
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(".."))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> file.toString().contains("/src/"))
          .filter(file -> !file.toString().contains("/target"))
          .toList();
    }
  }
}
