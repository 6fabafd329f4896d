package org.nelumbo.cli;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.reader.Buffer;
import org.jline.reader.LineReader;
import sqlline.SqlLine;
import sqlline.SqlLineOpts;

/**
 * Words that users of other databases type, such as {@code help}, {@code quit}, {@code \\dt},
 * {@code describe t}. Each is replaced by an equivalent sqlline command or statement; at the prompt
 * the replacement is visible before the line runs.
 */
final class PromptWords {
  private static final String OURS = "jdbc:nelumbo:";

  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("help", "!help"),
          Map.entry("?", "!help"),
          Map.entry("\\?", "!help"),
          Map.entry("\\h", "!help"),
          Map.entry("quit", "!quit"),
          Map.entry("exit", "!quit"),
          Map.entry("\\q", "!quit"),
          Map.entry("\\x on", "!outputformat vertical"),
          Map.entry("\\x off", "!outputformat table"),
          Map.entry("\\timing on", "!set showElapsedTime true"),
          Map.entry("\\timing off", "!set showElapsedTime false"));

  /** Words that list objects: a statement for Nelumbo, and a command for other databases. */
  private static final Map<String, String[]> LISTS =
      Map.of(
          "show tables", new String[] {"SHOW TABLES", "!tables"},
          "\\d", new String[] {"SHOW TABLES", "!tables"},
          "\\dt", new String[] {"SHOW TABLES", "!tables"},
          "\\dv", new String[] {"SHOW VIEWS", "!tables"},
          "\\ds", new String[] {"SHOW SEQUENCES", "!tables"},
          "\\dn", new String[] {"SHOW SCHEMAS", "!schemas"});

  private static final Pattern DESCRIBE =
      Pattern.compile(
          "(?:describe|desc|\\\\dt?)\\s+(?:table\\s+)?([\\w.\"$]+)", Pattern.CASE_INSENSITIVE);

  private static final Pattern RUN = Pattern.compile("\\\\i\\s+(\\S.*)");
  private static final Pattern END = Pattern.compile("\\s*;?\\s*$");

  private PromptWords() {}

  /**
   * Returns the command or statement for a line, or null if the line needs no replacement.
   *
   * @param url URL of the connection; null if there is none
   * @param opts present values of the options that the line may toggle
   */
  static String command(String line, String url, SqlLineOpts opts) {
    boolean isOurs = url != null && url.startsWith(OURS);
    String words = END.matcher(line).replaceFirst("").strip();
    String word = words.toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
    Matcher describe = DESCRIBE.matcher(words);
    if (describe.matches()) {
      return isOurs ? "DESCRIBE " + describe.group(1) + ";" : "!describe " + describe.group(1);
    }
    Matcher run = RUN.matcher(words);
    if (run.matches()) {
      return "!run " + run.group(1);
    }
    if (LISTS.containsKey(word)) {
      return isOurs ? LISTS.get(word)[0] + ";" : LISTS.get(word)[1];
    }
    return switch (word) {
      case "\\x" -> WORDS.get(isVertical(opts) ? "\\x off" : "\\x on");
      case "\\timing" -> WORDS.get(opts.getShowElapsedTime() ? "\\timing off" : "\\timing on");
      default ->
          word.startsWith("\\") ? WORDS.getOrDefault(word, "!help " + words) : WORDS.get(word);
    };
  }

  private static boolean isVertical(SqlLineOpts opts) {
    return opts.getOutputFormat().equalsIgnoreCase("vertical");
  }

  /** Makes a line reader replace such lines when they are entered. */
  static void install(SqlLine shell, LineReader reader) {
    reader
        .getWidgets()
        .put(
            LineReader.ACCEPT_LINE,
            () -> {
              Buffer buffer = reader.getBuffer();
              String url = shell.getConnectionMetadata().getUrl();
              String command = command(buffer.toString(), url, shell.getOpts());
              if (command != null) {
                buffer.clear();
                buffer.write(command);
              }
              reader.callWidget("." + LineReader.ACCEPT_LINE);
              return true;
            });
  }
}
