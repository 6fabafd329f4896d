package org.nelumbo.cli;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;
import sqlline.SqlLine;

/**
 * {@code nelumbo sql}: a connected SQL prompt (sqlline). Exit status: 0 everything ran, 1 a
 * statement failed, 2 wrong usage, 3 could not connect.
 */
@Command(
    name = "sql",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Opens a SQL prompt, or runs statements, on any database with a JDBC driver.",
    footer = {
      "",
      "Other options are passed to sqlline, such as --outputformat=csv or --silent=true.",
      "A script can contain commands of the prompt: \\dt lists the tables, \\d T lists",
      "the columns of table T, \\? lists all commands. A pool in shared files is created",
      "only if its URL has create=true or memory=."
    })
final class SqlCommand implements Callable<Integer> {
  /** A private embedded pool in memory. */
  static final String DEFAULT_URL = "jdbc:nelumbo:mem:";

  private static final String SHARED_FILES = "jdbc:nelumbo:shm:";
  private static final Pattern ASKS_FOR_POOL = Pattern.compile("(?i)[?&;](create|memory)=");

  /** Maximum width of a table that is not written to a terminal: large enough for all columns. */
  private static final int BATCH_WIDTH = 100_000;

  private static final String HINT =
      "Statements end with a semicolon. \\dt lists the tables, \\d T the columns of table T,"
          + " \\? the commands; \\q or Ctrl-D ends the session.";

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "URL",
      defaultValue = DEFAULT_URL,
      description = "JDBC URL (default: ${DEFAULT-VALUE}, a private pool in memory).")
  private String url;

  /** Statements and scripts to run, in the order of the command line. */
  @ArgGroup(multiplicity = "0..*")
  private final List<Step> steps = new ArrayList<>();

  private static final class Step {
    @Option(
        names = {"-e", "--execute"},
        required = true,
        paramLabel = "SQL",
        description = "Run this statement and exit; can be repeated.")
    private String statement;

    @Option(
        names = {"-f", "--file"},
        required = true,
        paramLabel = "FILE",
        description = "Run this script and exit; can be repeated and combined with -e.")
    private String file;
  }

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
      description = "Password; without a value, the command prompts for it.")
  private String password;

  @Unmatched private final List<String> sqllineOptions = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    for (Step step : steps) {
      if (step.file != null && !Files.isReadable(Path.of(step.file))) {
        throw new ParameterException(spec.commandLine(), "cannot read the file " + step.file);
      }
    }
    if (!canConnect()) {
      return ExitStatus.NO_DATABASE;
    }
    boolean terminal = atTerminal();
    boolean prompt = terminal && steps.isEmpty();
    if (prompt) {
      spec.commandLine().getOut().println(HINT);
      spec.commandLine().getOut().flush();
    } else {
      prepareBatch();
    }
    Shell shell = new Shell();
    return switch (sqlline(shell, arguments(shell, terminal))) {
      case OK -> prompt || !shell.hasFailed() ? ExitStatus.DONE : ExitStatus.FAILED;
      case ARGS -> ExitStatus.USAGE;
      case OTHER -> ExitStatus.FAILED;
    };
  }

  /**
   * Suppresses output that is useful only at a prompt: JLine's warning about a missing terminal,
   * and the stack traces that sqlline prints with every error until it has completed one start.
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
   * Connects once and disconnects, because sqlline would continue without a connection. A private
   * pool is not tried: it would end with that connection, and no other process could reject it. A
   * pool in shared files is not created implicitly: the program that is meant to create it would
   * find it with another size.
   */
  private boolean canConnect() {
    if (url.equals(DEFAULT_URL)) {
      return true;
    }
    try {
      Properties properties = new Properties();
      properties.setProperty("user", user);
      properties.setProperty("password", password);
      if (url.startsWith(SHARED_FILES) && !ASKS_FOR_POOL.matcher(url).find()) {
        properties.setProperty("create", "false");
      }
      DriverManager.getConnection(url, properties).close();
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
   * Returns the command line for sqlline.
   *
   * @param terminal true if the input is a terminal; otherwise it is read as a script
   */
  private List<String> arguments(Shell shell, boolean terminal) {
    List<String> result = new ArrayList<>(List.of("-u", url, "-n", user, "-p", password));
    result.add("--verbose=false");
    if (url.startsWith("jdbc:nelumbo:")) {
      result.add("--isolation=TRANSACTION_SERIALIZABLE");
    }
    for (Step step : steps) {
      result.add("-e");
      result.add(
          step.file == null
              ? word(step.statement, shell)
              : "!run " + Path.of(step.file).toAbsolutePath());
    }
    if (steps.isEmpty() && !terminal) {
      result.addAll(List.of("-f", InputScript.INPUT));
    }
    if (!terminal && steps.isEmpty() || steps.stream().anyMatch(step -> step.file != null)) {
      result.add("--silent=true");
    }
    if (!terminal) {
      result.addAll(List.of("--autoResize=false", "--maxWidth=" + BATCH_WIDTH));
    }
    result.addAll(sqllineOptions);
    return result;
  }

  private String word(String statement, Shell shell) {
    String command = PromptWords.command(statement, url, shell.getOpts());
    return command == null ? statement : command;
  }

  private static boolean atTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }
}
