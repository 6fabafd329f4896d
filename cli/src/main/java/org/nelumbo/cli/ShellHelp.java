package org.nelumbo.cli;

import java.util.List;
import org.jline.reader.Completer;
import sqlline.AbstractCommandHandler;
import sqlline.CommandHandler;
import sqlline.DispatchCallback;
import sqlline.SqlLine;

/**
 * The command {@code !help}: prints a page of its own; {@code !help all} lists the commands of
 * sqlline.
 */
final class ShellHelp extends AbstractCommandHandler {
  private static final String TEXT =
      """
      A statement ends with a semicolon. Ctrl-C cancels it, Ctrl-D ends the session.

        \\dt  \\dv  \\ds  \\dn    tables, views, sequences, schemas
        \\d T  describe T      columns of a table
        \\x [on|off]          one line per column
        \\timing [on|off]     show the time of each statement
        \\i FILE              run a script
        \\q  quit  exit        end the session
        !outputformat csv     or json, tsv, table, vertical, xmlattr, xmlelements
        !autocommit off       then !commit and !rollback, or COMMIT and ROLLBACK
        !record FILE          also write all output to a file; !record stops it
        !set                  all settings
        !help all             all commands
      """;

  private final CommandHandler ofAll;

  private ShellHelp(SqlLine shell, CommandHandler ofAll) {
    super(
        shell, ofAll.getNames().toArray(String[]::new), ofAll.getHelpText(), List.<Completer>of());
    this.ofAll = ofAll;
  }

  /** Replaces the help command of a shell. */
  static void install(SqlLine shell) {
    shell.updateCommandHandlers(
        shell.getCommandHandlers().stream()
            .map(each -> each.getName().equals("help") ? new ShellHelp(shell, each) : each)
            .toList());
  }

  @Override
  public List<Completer> getParameterCompleters() {
    return ofAll.getParameterCompleters();
  }

  @Override
  public void execute(String line, DispatchCallback callback) {
    String[] words = line.strip().split("\\s+", 2);
    if (words.length == 1) {
      sqlLine.output(TEXT.stripTrailing());
      callback.setToSuccess();
    } else if (words[1].startsWith("\\")) {
      sqlLine.error(words[1].split("\\s+", 2)[0] + " is not a command; \\? lists the commands");
      callback.setToFailure();
    } else {
      ofAll.execute(words[1].equals("all") ? words[0] : line, callback);
    }
  }
}
