package org.nelumbo.launcher.pages;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A command of {@code ./nelumbo} in a page.
 *
 * @param line the line in the page
 * @param words its arguments
 * @param filters the commands that its output is piped to
 */
record PageCommand(String line, List<String> words, List<String> filters) {
  private static final Pattern LOOP =
      Pattern.compile("for (\\w+) in ([^;]*); do (.*?);? *&? done.*");
  private static final Pattern VARIABLE = Pattern.compile("([A-Z]+)=(\\S+)");
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
  private static final Pattern COMMENT = Pattern.compile(" +#.*| {3,}.*| (&&|\\|\\|) .*| +&$");
  private static final Pattern PROGRAM = Pattern.compile("(?:^|[ /])nelumbo (.*)");

  /** Returns the commands of a script; assignments are added to the variables. */
  static List<PageCommand> of(Block script, Map<String, String> variables) {
    List<PageCommand> result = new ArrayList<>();
    for (String line : script.text().replaceAll("\\\\\n\\s*", "").lines().toList()) {
      Matcher loop = LOOP.matcher(line);
      Matcher variable = VARIABLE.matcher(line);
      if (variable.matches()) {
        variables.put(variable.group(1), variable.group(2));
      } else if (loop.matches()) {
        for (String each : loop.group(2).split(" ", -1)) {
          add(loop.group(3).replace("$" + loop.group(1), each), variables, result);
        }
      } else {
        add(line, variables, result);
      }
    }
    return result;
  }

  private static void add(String line, Map<String, String> variables, List<PageCommand> to) {
    Matcher program = PROGRAM.matcher(line);
    if (program.find()) {
      to.add(of(program.group(1).strip(), variables));
    }
  }

  /** Splits a command as a shell does. */
  static PageCommand of(String line, Map<String, String> variables) {
    String command = COMMENT.matcher(line).replaceFirst("");
    List<String> parts = List.of(command.split(" \\| ", -1));
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(parts.getFirst());
    while (word.find()) {
      String value =
          word.group(1) != null
              ? word.group(1)
              : word.group(2) != null ? word.group(2) : word.group(3);
      for (Map.Entry<String, String> each : variables.entrySet()) {
        value = value.replace("$" + each.getKey(), each.getValue());
      }
      words.add(value);
    }
    return new PageCommand(line, words, parts.subList(1, parts.size()));
  }

  String name() {
    return words.getFirst();
  }

  /** Applies the filters to the output of the command. */
  String filtered(String output) {
    List<String> lines = output.lines().toList();
    for (String filter : filters) {
      String[] parts = filter.split(" ", 2);
      int count = parts[1].startsWith("-") ? Integer.parseInt(parts[1].substring(1)) : 0;
      lines =
          switch (parts[0]) {
            case "grep" -> lines.stream().filter(line -> line.contains(parts[1])).toList();
            case "head" -> lines.subList(0, Math.min(count, lines.size()));
            case "tail" -> lines.subList(Math.max(0, lines.size() - count), lines.size());
            default -> throw new IllegalArgumentException(filter);
          };
    }
    return String.join("\n", lines);
  }
}
