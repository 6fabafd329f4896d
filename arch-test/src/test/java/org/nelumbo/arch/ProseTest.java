package org.nelumbo.arch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The pages can be read: no long lines, no long sentences. Code and tables are left out. */
class ProseTest {
  private static final int LINE_LENGTH_MAX = 120;
  private static final int SENTENCE_WORDS_MAX = 35;
  private static final Pattern SPACE = Pattern.compile("\\s+");
  private static final Pattern ITEM = Pattern.compile("^([*-]|\\d+\\.) +");
  private static final Pattern END_OF_SENTENCE =
      Pattern.compile("(?<=[.!?])[)\"']*\\s+(?=[\"'(\\p{Lu}\\d])");

  @Test
  void shouldHaveLinesThatFitAScreen() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path page : Pages.all()) {
      String[] lines = Pages.withoutCode(Files.readString(page)).split("\n", -1);
      for (int i = 0; i < lines.length; i++) {
        if (lines[i].length() > LINE_LENGTH_MAX && !isTable(lines[i])) {
          found.add(page + ":" + (i + 1));
        }
      }
    }
    assertEquals(List.of(), found);
  }

  @Test
  void shouldHaveSentencesThatCanBeReadAloud() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path page : Pages.all()) {
      longSentences(Files.readString(page)).forEach(sentence -> found.add(page + ": " + sentence));
    }
    assertEquals(List.of(), found);
  }

  @Test
  void shouldNoticeALongSentence() {
    String words = "word ".repeat(SENTENCE_WORDS_MAX).strip();
    assertEquals(List.of(), longSentences("# " + words + " word\n\n" + words + ".\nA word."));
    assertEquals(List.of(), longSentences("| " + words + " word |\n\n```\n" + words + " w\n```\n"));
    assertEquals(List.of(words + " word."), longSentences("A.\n* " + words + "\n  word.\n* B."));
  }

  private static boolean isTable(String line) {
    return line.strip().startsWith("|");
  }

  private static List<String> longSentences(String page) {
    List<String> result = new ArrayList<>();
    for (String block : blocks(page)) {
      String plain =
          block
              .replaceAll("`[^`]*`", "Code")
              .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
              .replace("*", "");
      for (String sentence : END_OF_SENTENCE.split(plain, -1)) {
        if (words(sentence) > SENTENCE_WORDS_MAX) {
          result.add(sentence);
        }
      }
    }
    return result;
  }

  private static long words(String sentence) {
    return SPACE
        .splitAsStream(sentence)
        .filter(word -> word.chars().anyMatch(Character::isLetterOrDigit))
        .count();
  }

  /** Paragraphs and items of lists, a line each. */
  private static List<String> blocks(String page) {
    List<String> result = new ArrayList<>();
    StringBuilder block = new StringBuilder();
    for (String line : Pages.withoutCode(page).split("\n", -1)) {
      String text = line.strip();
      boolean isText = !text.isEmpty() && !isTable(text) && !text.startsWith("#");
      if (!isText || ITEM.matcher(text).find()) {
        result.add(block.toString());
        block.setLength(0);
      }
      if (isText) {
        block.append(block.isEmpty() ? "" : " ").append(ITEM.matcher(text).replaceFirst(""));
      }
    }
    result.add(block.toString());
    return result;
  }
}
