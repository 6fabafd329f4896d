package org.nelumbo.launcher.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.nelumbo.jdbc.url.ConnectionUrl;
import org.nelumbo.launcher.Main;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** Checks that the commands and the URLs of all pages are valid, without running them. */
class PageCommandsTest {
  /** Commands of the script {@code ./nelumbo} alone. */
  private static final Set<String> OF_SCRIPT = Set.of("help", "java", "rdma-vm");

  /** Words of pages that stand for values, and valid ones; brackets enclose optional words. */
  private static final List<Map.Entry<String, String>> PLACEHOLDERS =
      List.of(
          Map.entry("--until TIME", "--until 2026-11-23T14:29:59Z"),
          Map.entry("\\bTIME\\b", "1s"),
          Map.entry("\\bPORT\\b", "7420"),
          Map.entry("\\b(SHARDS|COMPUTE_NODE|N|S)\\b", "1"),
          Map.entry(" --password\\b", ""), // which would ask for one
          Map.entry("\\[|]|\\.\\.\\.", ""));

  private static final CommandLine PROGRAM = Main.commandLine();
  private static final Pattern IN_TEXT = Pattern.compile("`(?:\\./)?nelumbo ([^`]+)`");
  private static final Pattern URL =
      Pattern.compile("jdbc:nelumbo:[^\\s'\"`|)\\\\]*[^\\s'\"`|)\\\\.,;]");

  @Test
  void shouldShowCommandsThatExist() throws IOException {
    List<String> wrong = new ArrayList<>();
    int count = 0;
    for (Block block : Pages.blocks()) {
      if (block.isScript() || block.is("ini")) {
        Map<String, String> variables = new HashMap<>(Map.of("URL", "jdbc:nelumbo:mem:a"));
        for (PageCommand command : PageCommand.of(block, variables)) {
          String error = error(PageCommand.of(withValues(command.line()), variables), false);
          wrong.add(error.isEmpty() ? "" : block + ": " + error);
          count++;
        }
      }
    }
    wrong.removeIf(String::isEmpty);
    assertEquals(List.of(), wrong);
    assertTrue(count > 80, "found only " + count);
  }

  @Test
  void shouldNameCommandsThatExist() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Path page : Pages.all()) {
      Matcher command = IN_TEXT.matcher(Pages.withoutCode(Files.readString(page)));
      while (command.find()) {
        String line = withValues(command.group(1).replaceAll("\\s+", " "));
        String error = error(PageCommand.of(line, Map.of()), true);
        wrong.add(error.isEmpty() ? "" : page + ": " + error);
      }
    }
    wrong.removeIf(String::isEmpty);
    assertEquals(List.of(), wrong);
  }

  /** Returns why a command cannot be parsed, or an empty text. */
  private static String error(PageCommand command, boolean mayLackParameters) {
    if (OF_SCRIPT.contains(command.name())) {
      return "";
    }
    try {
      PROGRAM.parseArgs(command.words().toArray(String[]::new));
      return "";
    } catch (MissingParameterException e) {
      return mayLackParameters ? "" : command.line() + ": " + e.getMessage();
    } catch (ParameterException e) {
      return command.line() + ": " + e.getMessage();
    }
  }

  private static String withValues(String text) {
    String result = text;
    for (Map.Entry<String, String> each : PLACEHOLDERS) {
      result = result.replaceAll(each.getKey(), each.getValue());
    }
    return result;
  }

  @Test
  void shouldShowUrlsThatAreValid() throws IOException {
    List<String> wrong = new ArrayList<>();
    int count = 0;
    for (Path page : Pages.all()) {
      Matcher url = URL.matcher(Files.readString(page));
      while (url.find()) {
        if (url.group().matches(".*(file|rdma|shm)?:/*")) {
          continue; // the begin of URLs of a kind
        }
        count++;
        String text = url.group();
        for (int host = 0; text.contains("HOST:"); host++) {
          text = text.replaceFirst("HOST:", "host" + host + ":");
        }
        try {
          assertFalse(ConnectionUrl.parse(withValues(text), null).text().isEmpty());
        } catch (SQLException e) {
          wrong.add(page + ": " + url.group() + ": " + e.getMessage());
        }
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(count > 60, "found only " + count);
  }
}
