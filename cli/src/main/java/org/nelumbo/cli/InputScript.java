package org.nelumbo.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.reader.Completer;
import org.jline.reader.Parser.ParseContext;
import sqlline.AbstractCommandHandler;
import sqlline.BuiltInProperty;
import sqlline.CommandHandler;
import sqlline.DispatchCallback;
import sqlline.SqlLineParser;
import sqlline.SqlLineParser.SqlParserState;

/**
 * The command {@code !run} of sqlline, which runs a script while reading it: a program may wait for
 * the result of a statement before it writes the next one to the standard input, and a script need
 * not fit into memory. It does not echo the statements, and prints the line number of a failing
 * one.
 */
final class InputScript extends AbstractCommandHandler {
  /** File name that stands for the standard input. */
  static final String INPUT = "/dev/stdin";

  private static final String BYTE_ORDER_MARK = "\uFEFF";

  /** Lines in which pg_dump restricts the commands of psql, and comments of MySQL. */
  private static final Pattern REMARK = Pattern.compile("^\\\\(un)?restrict \\S+\\s*$|^\\s*#");

  private static final Pattern COMMENTS =
      Pattern.compile("(?:\\s|--[^\\n]*+\\n|/\\*(?:[^*]|\\*(?!/))*+\\*/)*+");

  private final Shell shell;
  private final CommandHandler usage;
  private final SqlLineParser parser;

  private InputScript(Shell shell, CommandHandler ofSqlline, SqlLineParser parser) {
    super(shell, new String[] {ofSqlline.getName()}, ofSqlline.getHelpText(), List.<Completer>of());
    this.shell = shell;
    this.usage = ofSqlline;
    this.parser = parser;
  }

  /** Replaces the {@code !run} command of a shell. */
  static void install(Shell shell, SqlLineParser parser) {
    shell.updateCommandHandlers(
        shell.getCommandHandlers().stream()
            .map(each -> each.getName().equals("run") ? new InputScript(shell, each, parser) : each)
            .toList());
  }

  @Override
  public List<Completer> getParameterCompleters() {
    return usage.getParameterCompleters();
  }

  @Override
  public void execute(String line, DispatchCallback callback) {
    String[] words = line.strip().split("\\s+", 2);
    if (words.length == 1) {
      usage.execute(line, callback);
      return;
    }
    String name = words[1].replaceAll("^([\"'])(.*)\\1$", "$2");
    try (InputStream input = name.equals(INPUT) ? System.in : Files.newInputStream(path(name))) {
      if (shell.runScript(() -> runAll(name.equals(INPUT) ? "standard input" : name, input))) {
        callback.setToSuccess();
      } else {
        callback.setToFailure();
      }
    } catch (IOException | InvalidPathException e) {
      callback.setToFailure();
      sqlLine.error("cannot read the file " + name + ": " + e.getMessage());
    }
  }

  private static Path path(String name) {
    return Path.of(name.replaceFirst("^~(?=/)", System.getProperty("user.home")));
  }

  private boolean runAll(String name, InputStream input) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8));
    boolean wentWell = true;
    StringBuilder statement = new StringBuilder();
    int number = 1;
    int first = 1;
    String line = lines.readLine();
    if (line != null && line.startsWith(BYTE_ORDER_MARK)) {
      line = line.substring(1);
    }
    while (line != null && !sqlLine.isExit()) {
      if (statement.isEmpty()) {
        first = number;
        line = REMARK.matcher(line).find() ? "" : shell.withoutWords(line);
      }
      if (!statement.isEmpty() || !line.isBlank()) {
        statement.append(statement.isEmpty() ? "" : "\n").append(line);
      }
      if (!statement.isEmpty() && isComplete(statement.toString())) {
        if (!isRemark(statement) && !run(statement.toString())) {
          boolean goesOn = sqlLine.getOpts().getForce();
          sqlLine.error(
              name
                  + ", line "
                  + first
                  + ": the statement that begins here has failed"
                  + (goesOn ? "" : ", and what follows was not run (--force=true runs it)"));
          if (!goesOn) {
            return false;
          }
          wentWell = false;
        }
        statement.setLength(0);
      }
      line = lines.readLine();
      number++;
    }
    // A script may omit the last semicolon.
    String rest = statement.toString().strip();
    return (rest.isEmpty() || rest.startsWith("!") || run(rest + ';')) && wentWell;
  }

  /**
   * Returns true for text that consists of comments; mysqldump writes statements for MySQL as
   * comments.
   */
  private static boolean isRemark(CharSequence statement) {
    Matcher comments = COMMENTS.matcher(statement);
    int from = comments.lookingAt() ? comments.end() : 0;
    return statement.toString().substring(from).matches(";?");
  }

  private boolean isComplete(String text) {
    return parser.parseState(text, text.length(), ParseContext.ACCEPT_LINE).getState()
        == SqlParserState.OK;
  }

  /** Runs one statement. The force option keeps sqlline from printing that it aborts the script. */
  private boolean run(String statement) {
    String text = sqlLine.getOpts().getTrimScripts() ? statement.trim() : statement;
    boolean force = sqlLine.getOpts().getForce();
    sqlLine.getOpts().set(BuiltInProperty.FORCE, true);
    try {
      return sqlLine.runCommands(List.of(text), new DispatchCallback()) == 1;
    } finally {
      sqlLine.getOpts().set(BuiltInProperty.FORCE, force);
    }
  }
}
