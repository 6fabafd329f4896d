package org.nelumbo.launcher;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import org.nelumbo.benchmark.ExitStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo restore}: makes the database of a backup in a pool of any kind and size. Exit
 * status: 0 it is there, 1 it is not, 2 wrong usage, 3 the pool cannot be opened.
 */
@Command(
    name = "restore",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Makes the database of the newest backup in a directory, in an empty pool.",
    footer = {
      "",
      "The pool is made if there is none, as the URL's properties say: in files, in",
      "shared memory, or on empty memory nodes. It may have another size, and other",
      "numbers of nodes and copies, than the one that was backed up. If it has tables",
      "nothing is done. A secret is also taken from the environment variable",
      "NELUMBO_SECRET."
    })
final class RestoreCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the backups.")
  private Path directory;

  @Parameters(index = "1", paramLabel = "URL", description = "As jdbc:nelumbo:file:DIRECTORY.")
  private String url;

  @Override
  public Integer call() {
    PoolUrl.check(spec, url, "outlives this command");
    if (!Files.isDirectory(directory)) {
      throw new ParameterException(
          spec.commandLine(), "there is no directory " + directory + " with backups");
    }
    try (Connection connection = PoolUrl.connect(url, "create=true");
        Statement statement = connection.createStatement()) {
      return run(statement);
    } catch (SQLException e) {
      return failed(e, ExitStatus.NO_DATABASE);
    }
  }

  private int run(Statement statement) {
    try {
      statement.execute("RESTORE FROM '" + PoolUrl.quoted(directory) + "'");
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
