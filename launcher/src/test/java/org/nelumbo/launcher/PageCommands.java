package org.nelumbo.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Commands of a Markdown page, each with the lines of its output in the page. */
final class PageCommands {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```$");
  private static final Pattern VARIABLE = Pattern.compile("([A-Z]+)=(\\S+)");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
  private static final String PROGRAM = "./nelumbo ";

  private final Map<String, String> variables = new HashMap<>();
  private final List<Shown> all = new ArrayList<>();

  /**
   * A command.
   *
   * @param line the line in the page
   * @param words its arguments
   * @param output lines of output in the page, in order
   */
  record Shown(String line, List<String> words, List<String> output) {}

  private PageCommands() {}

  static List<Shown> of(Path page) throws IOException {
    PageCommands commands = new PageCommands();
    Matcher block = BLOCK.matcher(Files.readString(page));
    while (block.find()) {
      if (block.group(1).isEmpty()) {
        commands.read(block.group(2).replaceAll("\\\\\n\\s*", ""));
      }
    }
    return commands.all;
  }

  private void read(String block) {
    List<String> lines = block.lines().toList();
    boolean isOutput =
        lines.stream().noneMatch(line -> line.contains(PROGRAM) || line.startsWith("./"));
    if (isOutput && !all.isEmpty()) {
      all.getLast().output().addAll(lines);
      return;
    }
    for (String line : lines) {
      Matcher variable = VARIABLE.matcher(line);
      if (variable.matches()) {
        variables.put(variable.group(1), variable.group(2));
      } else {
        List<String> words =
            line.startsWith(PROGRAM) ? words(line.substring(PROGRAM.length())) : List.of("other");
        all.add(new Shown(line, words, new ArrayList<>()));
      }
    }
  }

  /** Splits a text as a shell does, up to a pipe. */
  private List<String> words(String text) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(text);
    while (word.find() && !"|".equals(word.group(3))) {
      String value =
          word.group(1) != null
              ? word.group(1)
              : word.group(2) != null ? word.group(2) : word.group(3);
      for (Map.Entry<String, String> each : variables.entrySet()) {
        value = value.replace("$" + each.getKey(), each.getValue());
      }
      words.add(value);
    }
    return words;
  }
}
