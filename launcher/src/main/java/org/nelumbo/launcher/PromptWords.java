package org.nelumbo.launcher;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.reader.Buffer;
import org.jline.reader.LineReader;

/**
 * Words that people type at a prompt because other databases know them, {@code help}, {@code quit},
 * {@code show tables}, {@code describe t}: none of them is SQL, so they become the commands of
 * sqlline that mean the same, visibly, before the line is run.
 */
final class PromptWords {
  private static final Map<String, String> WORDS =
      Map.ofEntries(
          Map.entry("help", "!help"),
          Map.entry("?", "!help"),
          Map.entry("\\?", "!help"),
          Map.entry("\\h", "!help"),
          Map.entry("quit", "!quit"),
          Map.entry("exit", "!quit"),
          Map.entry("\\q", "!quit"),
          Map.entry("show tables", "!tables"),
          Map.entry("\\d", "!tables"),
          Map.entry("\\dt", "!tables"));

  private static final Pattern DESCRIBE =
      Pattern.compile(
          "(?:describe|desc|\\\\d)\\s+(?:table\\s+)?([\\w.\"$]+)", Pattern.CASE_INSENSITIVE);

  private static final Pattern END = Pattern.compile("\\s*;?\\s*$");

  private PromptWords() {}

  /** The command of sqlline that a line means; null if it is SQL, or a command already. */
  static String command(String line) {
    String words = END.matcher(line).replaceFirst("").strip();
    Matcher describe = DESCRIBE.matcher(words);
    if (describe.matches()) {
      return "!describe " + describe.group(1);
    }
    return WORDS.get(words.toLowerCase(Locale.ROOT).replaceAll("\\s+", " "));
  }

  /** Has a reader replace such a line when it is entered. */
  static void install(LineReader reader) {
    reader
        .getWidgets()
        .put(
            LineReader.ACCEPT_LINE,
            () -> {
              Buffer buffer = reader.getBuffer();
              String command = command(buffer.toString());
              if (command != null) {
                buffer.clear();
                buffer.write(command);
              }
              reader.callWidget("." + LineReader.ACCEPT_LINE);
              return true;
            });
  }
}
