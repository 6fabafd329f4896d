package org.nelumbo.cli;

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
import sqlline.BuiltInProperty;

/** Input at a prompt that is not SQL. */
@Timeout(60)
class PromptWordsTest {
  private static final String OURS = "jdbc:nelumbo:mem:";

  private final Shell shell = new Shell();

  private String command(String line, String url) {
    return PromptWords.command(line, url, shell.getOpts());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "help | !help | !help",
        "HELP; | !help | !help",
        "\\? | !help | !help",
        "exit | !quit | !quit",
        "quit ; | !quit | !quit",
        "\\q | !quit | !quit",
        "show  tables; | SHOW TABLES; | !tables",
        "\\dt | SHOW TABLES; | !tables",
        "\\dn; | SHOW SCHEMAS; | !schemas",
        "describe t; | DESCRIBE t; | !describe t",
        "DESC Table \"My Table\" | |",
        "desc public.t | DESCRIBE public.t; | !describe public.t",
        "\\d t | DESCRIBE t; | !describe t",
        "\\i /tmp/a b.sql | !run /tmp/a b.sql | !run /tmp/a b.sql",
        "\\x | !outputformat vertical | !outputformat vertical",
        "\\x off | !outputformat table | !outputformat table",
        "\\timing | !set showElapsedTime false | !set showElapsedTime false",
        "\\watch 5 | !help \\watch 5 | !help \\watch 5"
      })
  void shouldTranslatePromptCommands(String line, String here, String elsewhere) {
    assertEquals(here, command(line, OURS));
    assertEquals(elsewhere, command(line, "jdbc:h2:mem:"));
    assertEquals(elsewhere, command(line, null));
  }

  @Test
  void shouldToggle() {
    shell.getOpts().set(BuiltInProperty.OUTPUT_FORMAT, "vertical");
    shell.getOpts().set(BuiltInProperty.SHOW_ELAPSED_TIME, false);
    assertEquals("!outputformat table", command("\\x", OURS));
    assertEquals("!set showElapsedTime true", command("\\timing", OURS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ";", "SELECT 1;", "!help", "helpless", "SELECT help FROM t", "-- quit"})
  void shouldIgnoreSqlAndUnknownInput(String line) {
    assertNull(command(line, OURS));
  }

  @Test
  void shouldReplaceTheLineThatIsEntered() throws IOException {
    ByteArrayInputStream input =
        new ByteArrayInputStream("exit\nSELECT 1;\n".getBytes(StandardCharsets.UTF_8));
    try (Terminal terminal = new DumbTerminal(input, new ByteArrayOutputStream())) {
      LineReader reader = LineReaderBuilder.builder().terminal(terminal).build();
      PromptWords.install(shell, reader);
      assertEquals("!quit", reader.readLine());
      assertEquals("SELECT 1;", reader.readLine());
    }
  }
}
