package org.nelumbo.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jline.reader.Completer;
import org.jline.reader.Parser.ParseContext;
import sqlline.AbstractCommandHandler;
import sqlline.CommandHandler;
import sqlline.DispatchCallback;
import sqlline.SqlLine;
import sqlline.SqlLineParser;
import sqlline.SqlLineParser.SqlParserState;

/**
 * The command {@code !run} of sqlline, which runs what is at the standard input as it comes: a
 * program may write a statement when it has seen the answer to the last one, and a script may be
 * longer than fits into memory. sqlline reads a script to its end before it runs the first
 * statement; files it goes on to read so.
 */
final class InputScript extends AbstractCommandHandler {
  /** File name that stands for the standard input. */
  static final String INPUT = "/dev/stdin";

  private final CommandHandler ofFiles;
  private final SqlLineParser parser;
  private final InputStream input;

  /**
   * @param ofFiles sqlline's own command
   */
  InputScript(SqlLine shell, CommandHandler ofFiles, SqlLineParser parser, InputStream input) {
    super(shell, new String[] {ofFiles.getName()}, ofFiles.getHelpText(), List.<Completer>of());
    this.ofFiles = ofFiles;
    this.parser = parser;
    this.input = input;
  }

  /** Has a shell run its standard input so. */
  static void install(SqlLine shell, SqlLineParser parser) {
    List<CommandHandler> handlers =
        shell.getCommandHandlers().stream()
            .map(
                handler ->
                    handler.getName().equals("run")
                        ? new InputScript(shell, handler, parser, System.in)
                        : handler)
            .toList();
    shell.updateCommandHandlers(handlers);
  }

  @Override
  public List<Completer> getParameterCompleters() {
    return ofFiles.getParameterCompleters();
  }

  @Override
  public void execute(String line, DispatchCallback callback) {
    if (!line.endsWith('"' + INPUT + '"')) {
      ofFiles.execute(line, callback);
      return;
    }
    try {
      if (runAll()) {
        callback.setToSuccess();
      } else {
        callback.setToFailure();
      }
    } catch (IOException e) {
      callback.setToFailure();
      sqlLine.error(e);
    }
  }

  /** Whether all went well. */
  private boolean runAll() throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
    boolean wentWell = true;
    StringBuilder statement = new StringBuilder();
    String line = lines.readLine();
    while (line != null && !sqlLine.isExit()) {
      statement.append(" \n").append(line);
      if (isComplete(statement.toString())) {
        if (!run(statement.toString())) {
          if (!sqlLine.getOpts().getForce()) {
            return false;
          }
          wentWell = false;
        }
        statement.setLength(0);
      }
      line = lines.readLine();
    }
    // whoever has left away the last semicolon
    String rest = statement.toString().strip();
    return (rest.isEmpty() || rest.startsWith("!") || run(rest + ';')) && wentWell;
  }

  private boolean isComplete(String text) {
    return parser.parseState(text, text.length(), ParseContext.ACCEPT_LINE).getState()
        == SqlParserState.OK;
  }

  private boolean run(String statement) {
    String text = sqlLine.getOpts().getTrimScripts() ? statement.trim() : statement;
    return sqlLine.runCommands(List.of(text), new DispatchCallback()) == 1;
  }
}
