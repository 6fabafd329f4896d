package org.nelumbo.launcher.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that the messages in the tables of the page on troubleshooting exist in the sources. */
class MessagesInPagesTest {
  private static final Pattern FIRST_CELL = Pattern.compile("(?m)^\\| ([^|]*) \\|");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** Parts of messages in pages that stand for values. */
  private static final Pattern VALUE = Pattern.compile("\\.\\.\\.|\\b[NM]\\b|'[ab]'|\\d\\w{3,}");

  /** A string literal, or several that are concatenated. */
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");

  private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");

  @Test
  void shouldShowMessagesOfTheProgram() throws IOException {
    String literals = literals();
    List<String> missing = new ArrayList<>();
    List<String> messages = messages();
    for (String message : messages) {
      for (String part : VALUE.split(message, -1)) {
        if (!literals.contains(part.strip())) {
          missing.add(message + ": " + part);
        }
      }
    }
    assertEquals(List.of(), missing);
    assertTrue(messages.size() > 50, messages::toString);
  }

  private static List<String> messages() throws IOException {
    String page = Files.readString(Pages.ROOT.resolve("docs/guide/troubleshooting.md"));
    return FIRST_CELL
        .matcher(page)
        .results()
        .flatMap(cell -> CODE.matcher(cell.group(1)).results())
        .map(each -> each.group(1))
        .filter(each -> each.contains(" "))
        .toList();
  }

  private static String literals() throws IOException {
    StringBuilder result = new StringBuilder();
    try (Stream<Path> files = Files.walk(Pages.ROOT)) {
      for (Path file : files.filter(MessagesInPagesTest::isSource).toList()) {
        String text = CONCATENATION.matcher(Files.readString(file)).replaceAll("");
        result.append(
            LITERAL
                .matcher(text)
                .results()
                .map((MatchResult each) -> each.group(1))
                .collect(Collectors.joining("\n", "", "\n")));
      }
    }
    return result.toString();
  }

  private static boolean isSource(Path file) {
    return file.toString().contains("/src/main/java/") && file.toString().endsWith(".java");
  }
}
