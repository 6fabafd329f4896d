package org.nelumbo.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo salvage}: restores the intact parts of damaged files in another database. Exit
 * status: 0 everything is restored, 1 something is missing, 2 wrong usage, 3 nothing could be
 * restored.
 */
@Command(
    name = "salvage",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description =
        "Copies the undamaged data of a database's files, or of backups, to a new database.",
    footer = {
      "",
      "The files are only read. All readable rows are copied into an empty database,",
      "which is created if it does not exist. Each damaged part, and the data left out",
      "because of it, is reported on a line. If the newest image of a row is lost, an",
      "earlier one may appear instead; deleted rows may reappear. Rows that therefore",
      "violate constraints are reported at the end."
    })
final class SalvageCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description = "The directory of the database, or of the backups.")
  private Path directory;

  @Parameters(index = "1", paramLabel = "URL", description = "As jdbc:nelumbo:file:NEWDIR.")
  private String url;

  @Override
  public Integer call() {
    PoolUrl.check(spec, url, "outlives this command");
    if (!Files.isDirectory(directory)) {
      throw new ParameterException(spec.commandLine(), "there is no directory " + directory);
    }
    try (Connection connection = PoolUrl.connect(url, "create=true");
        Statement statement = connection.createStatement()) {
      List<String> findings = salvage(statement);
      findings.forEach(each -> spec.commandLine().getErr().println("nelumbo: " + each));
      PrintWriter out = spec.commandLine().getOut();
      out.println("salvaged tables=" + tables(statement) + " findings=" + findings.size());
      out.flush();
      statement.execute("SHUTDOWN");
      return findings.isEmpty() ? ExitStatus.DONE : ExitStatus.FAILED;
    } catch (SQLException e) {
      spec.commandLine().getErr().println("nelumbo: nothing was salvaged: " + e.getMessage());
      return ExitStatus.NO_DATABASE;
    }
  }

  private List<String> salvage(Statement statement) throws SQLException {
    FindingLines findings = new FindingLines(statement);
    statement.execute("RESTORE FROM '" + PoolUrl.quoted(directory) + "' SALVAGE");
    List<String> all = new ArrayList<>(findings.lines());
    try {
      statement.execute("CHECK DATABASE");
    } catch (SQLException e) {
      List<String> broken = findings.lines();
      if (broken.isEmpty()) {
        throw e;
      }
      all.addAll(broken);
    }
    return all;
  }

  private static long tables(Statement statement) throws SQLException {
    try (ResultSet tables =
        statement.executeQuery(
            "SELECT COUNT(*) FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA NOT IN ('SYS',"
                + " 'INFORMATION_SCHEMA')")) {
      tables.next();
      return tables.getLong(1);
    }
  }
}
