package org.nelumbo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is typed at a prompt and is no SQL. */
@Timeout(60)
class PromptWordsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "help | !help",
        "HELP; | !help",
        "\\? | !help",
        "exit | !quit",
        "quit ; | !quit",
        "\\q | !quit",
        "show  tables; | !tables",
        "\\dt | !tables",
        "describe t; | !describe t",
        "DESC Table \"My Table\" |",
        "desc public.t | !describe public.t",
        "\\d t | !describe t"
      })
  void shouldKnowWhatIsMeant(String line, String command) {
    assertEquals(command, PromptWords.command(line));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ";", "SELECT 1;", "!help", "helpless", "SELECT help FROM t", "-- quit"})
  void shouldLeaveEverythingElseAlone(String line) {
    assertNull(PromptWords.command(line));
  }

  @Test
  void shouldReplaceTheLineThatIsEntered() throws IOException {
    ByteArrayInputStream input =
        new ByteArrayInputStream("exit\nSELECT 1;\n".getBytes(StandardCharsets.UTF_8));
    try (Terminal terminal = new DumbTerminal(input, new ByteArrayOutputStream())) {
      LineReader reader = LineReaderBuilder.builder().terminal(terminal).build();
      PromptWords.install(reader);
      assertEquals("!quit", reader.readLine());
      assertEquals("SELECT 1;", reader.readLine());
    }
  }
}
