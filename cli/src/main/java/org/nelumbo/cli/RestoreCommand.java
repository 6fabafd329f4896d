package org.nelumbo.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo restore}: restores the database of a backup in a pool of any kind and size. Exit
 * status: 0 it is restored, 1 it failed, 2 wrong usage, 3 the pool cannot be opened.
 */
@Command(
    name = "restore",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Restores the newest backup in a directory to an empty pool.",
    footer = {
      "",
      "A pool that does not exist is created in files, in shared memory, or on empty",
      "memory nodes, with the properties of the URL. Its size and its numbers of nodes and",
      "copies may differ from the original. A pool that has tables is left unchanged, and",
      "the command fails.",
      "",
      "With --log, the commits after the backup are replayed from the log: name the",
      "directory of the log archive (archive= in the URL of the original), and the",
      "directory of the original database if it still exists.",
      "",
      "The secret can also be given in the environment variable",
      "NELUMBO_SECRET."
    })
final class RestoreCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DIR", description = "Directory of the backups.")
  private Path directory;

  @Parameters(index = "1", paramLabel = "URL", description = "As jdbc:nelumbo:file:DIRECTORY.")
  private String url;

  @Option(
      names = "--log",
      paramLabel = "DIR",
      description = "Directory with the log of the original database; can be repeated.")
  private List<Path> logs = List.of();

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description =
          "Replay commits up to this time, such as 2026-11-23T14:30:00+01:00 (default: all"
              + " commits).")
  private OffsetDateTime until;

  @Override
  public Integer call() {
    PoolUrl.check(spec, url, "outlives this command");
    if (!Files.isDirectory(directory)) {
      throw new ParameterException(
          spec.commandLine(), "there is no directory " + directory + " with backups");
    }
    if (until != null && logs.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--until needs the log: name its directories with --log");
    }
    try (Connection connection = PoolUrl.connect(url, "create=true");
        Statement statement = connection.createStatement()) {
      return run(statement);
    } catch (SQLException e) {
      return failed(e, ExitStatus.NO_DATABASE);
    }
  }

  private String sql() {
    StringJoiner words = new StringJoiner(", ", " LOG ", "").setEmptyValue("");
    logs.forEach(log -> words.add("'" + PoolUrl.quoted(log) + "'"));
    return "RESTORE FROM '"
        + PoolUrl.quoted(directory)
        + "'"
        + words
        + (until == null ? "" : " UNTIL '" + sql(until) + "'");
  }

  private static String sql(OffsetDateTime moment) {
    return moment
        .atZoneSameInstant(ZoneOffset.UTC)
        .format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS'Z'", Locale.ROOT));
  }

  private int run(Statement statement) {
    try {
      statement.execute(sql());
      try (ResultSet tables =
          statement.executeQuery(
              "SELECT COUNT(*) FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA NOT IN ('SYS',"
                  + " 'INFORMATION_SCHEMA')")) {
        tables.next();
        PrintWriter out = spec.commandLine().getOut();
        out.println("restored tables=" + tables.getLong(1));
        out.flush();
      }
      statement.execute("SHUTDOWN");
      return ExitStatus.DONE;
    } catch (SQLException e) {
      return failed(e, ExitStatus.FAILED);
    }
  }

  private int failed(SQLException e, int status) {
    spec.commandLine().getErr().println("nelumbo: nothing was restored: " + e.getMessage());
    return status;
  }
}
