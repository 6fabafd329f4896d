package org.nelumbo.launcher.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fenced block of a page.
 *
 * @param line the number of the line that opens it
 * @param language the word after the fence, or an empty text
 * @param lines the lines without the indentation of the fence
 */
record Block(Path page, int line, String language, List<String> lines) {
  /** Languages of blocks that are neither commands nor output. */
  private static final List<String> OTHERS = List.of("text", "mermaid", "java", "sql", "ini");

  private static final Pattern FENCE = Pattern.compile("( *)```(\\w*)");

  static List<Block> of(Path page) throws IOException {
    List<Block> result = new ArrayList<>();
    Block open = null;
    int indentation = 0;
    int number = 0;
    for (String line : Files.readAllLines(page)) {
      number++;
      Matcher fence = FENCE.matcher(line);
      if (open == null && fence.matches()) {
        indentation = fence.group(1).length();
        open = new Block(page, number, fence.group(2), new ArrayList<>());
      } else if (open != null && fence.matches()) {
        result.add(open);
        open = null;
      } else if (open != null) {
        open.lines.add(line.substring(Math.min(indentation, line.length())));
      }
    }
    return result;
  }

  String text() {
    return String.join("\n", lines);
  }

  boolean is(String wanted) {
    return language.equals(wanted);
  }

  /** Returns true for a shell script. */
  boolean isScript() {
    return is("sh")
        || language.isEmpty()
            && lines.stream()
                .anyMatch(line -> line.contains("./nelumbo ") || line.startsWith("./"));
  }

  /** Returns true for a Java program. */
  boolean isProgram() {
    return is("java") && text().contains("void main(");
  }

  /** Returns true for the output of a program, which is every block that is nothing else. */
  boolean isOutput() {
    return !isScript() && !OTHERS.contains(language);
  }

  @Override
  public String toString() {
    return Pages.ROOT.relativize(page) + ":" + line;
  }
}
