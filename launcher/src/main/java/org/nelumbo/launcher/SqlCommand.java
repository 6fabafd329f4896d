package org.nelumbo.launcher;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.nelumbo.benchmark.ExitStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;
import sqlline.SqlLine;

/**
 * {@code nelumbo sql}: a SQL prompt (sqlline), connected. Exit status: 0 everything ran, 1 a
 * statement failed, 2 wrong usage, 3 could not connect.
 */
@Command(
    name = "sql",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Opens a SQL prompt, or runs statements, on any database with a JDBC driver.",
    footer = {
      "",
      "Other options go to sqlline, such as --outputformat=csv or --silent=true.",
      "At the prompt: !tables lists the tables, !describe T the columns of one, !help all"
          + " commands,",
      "!quit or Ctrl-D leaves."
    })
final class SqlCommand implements Callable<Integer> {
  /** An embedded pool in memory that nobody else sees. */
  static final String DEFAULT_URL = "jdbc:nelumbo:mem:";

  /** Columns of a table that is not written to a terminal: as many as it needs. */
  private static final int BATCH_WIDTH = 100_000;

  private static final String HINT =
      "Statements end with a semicolon. !tables lists the tables, !describe T the columns of one,"
          + " !help all commands; !quit or Ctrl-D leaves.";

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "URL",
      defaultValue = DEFAULT_URL,
      description = "JDBC URL (default: ${DEFAULT-VALUE}, a pool in memory for this prompt alone).")
  private String url;

  @Option(
      names = {"-e", "--execute"},
      paramLabel = "SQL",
      description = "Run this statement and leave; may be repeated.")
  private final List<String> statements = new ArrayList<>();

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "Run this script and leave.")
  private String file;

  @Option(
      names = {"-u", "--user"},
      defaultValue = "",
      paramLabel = "NAME",
      description = "User name.")
  private String user;

  @Option(
      names = {"-p", "--password"},
      defaultValue = "",
      arity = "0..1",
      interactive = true,
      paramLabel = "PASSWORD",
      description = "Password; asked for when left out.")
  private String password;

  @Unmatched private final List<String> sqllineOptions = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    if (file != null && !Files.isReadable(Path.of(file))) {
      throw new ParameterException(spec.commandLine(), "cannot read the file " + file);
    }
    if (!canConnect()) {
      return ExitStatus.NO_DATABASE;
    }
    boolean terminal = atTerminal();
    boolean prompt = terminal && statements.isEmpty() && file == null;
    if (prompt) {
      spec.commandLine().getOut().println(HINT);
      spec.commandLine().getOut().flush();
    } else {
      prepareBatch();
    }
    Shell shell = new Shell();
    return switch (sqlline(shell, arguments(terminal))) {
      case OK -> prompt || !shell.hasFailed() ? ExitStatus.DONE : ExitStatus.FAILED;
      case ARGS -> ExitStatus.USAGE;
      case OTHER -> ExitStatus.FAILED;
    };
  }

  /**
   * Keeps what is only of use at a prompt out of the output of a batch: JLine's warning that it has
   * no terminal, and the stack traces that sqlline prints with every error until it has been
   * through one start.
   */
  private static void prepareBatch() throws IOException {
    System.setProperty("org.jline.terminal.dumb", "true");
    sqlline(new SqlLine(), List.of("--silent=true", "-e", "!quit"));
  }

  private static SqlLine.Status sqlline(SqlLine sqlline, List<String> arguments)
      throws IOException {
    return sqlline.begin(arguments.toArray(String[]::new), null, true);
  }

  /**
   * Connects once and lets go, because sqlline would carry on without a connection. A private pool
   * would be gone again, and there is nobody who could refuse it.
   */
  private boolean canConnect() {
    if (url.equals(DEFAULT_URL)) {
      return true;
    }
    try {
      DriverManager.getConnection(url, user, password).close();
      return true;
    } catch (SQLException e) {
      spec.commandLine()
          .getErr()
          .println("nelumbo: could not connect to " + withoutPassword(url) + ": " + reason(e));
      return false;
    }
  }

  private String reason(SQLException e) {
    return url.startsWith("jdbc:")
        ? e.getMessage()
        : "a JDBC URL begins with jdbc: as in " + DEFAULT_URL + "shop";
  }

  private static String withoutPassword(String url) {
    return url.replaceAll("(?i)(password=)[^&;]*", "$1...");
  }

  /**
   * The command line for sqlline.
   *
   * @param terminal whether somebody sits at the input; else it is read as a script
   */
  List<String> arguments(boolean terminal) {
    List<String> result = new ArrayList<>(List.of("-u", url, "-n", user, "-p", password));
    result.add("--verbose=false");
    if (url.startsWith("jdbc:nelumbo:")) {
      result.add("--isolation=TRANSACTION_SERIALIZABLE");
    }
    statements.forEach(statement -> result.addAll(List.of("-e", statement)));
    if (file != null) {
      result.addAll(List.of("-f", file));
    } else if (statements.isEmpty() && !terminal) {
      result.addAll(List.of("--silent=true", "-f", InputScript.INPUT));
    }
    if (!terminal) {
      result.addAll(List.of("--autoResize=false", "--maxWidth=" + BATCH_WIDTH));
    }
    if (sqllineOptions.stream().noneMatch(option -> option.startsWith("--outputformat"))) {
      result.add("--nullValue=NULL"); // in a table; other formats have their own ideas
    }
    result.addAll(sqllineOptions);
    return result;
  }

  private static boolean atTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }
}
