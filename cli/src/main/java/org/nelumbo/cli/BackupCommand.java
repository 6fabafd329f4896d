package org.nelumbo.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import org.nelumbo.dm.disk.DirectoryDisk;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.redo.backup.Backup;
import org.nelumbo.dm.redo.backup.BackupFiles;
import org.nelumbo.executor.row.RowLayout;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo backup}: writes a backup of a database, which may be in use. Exit status: 0 the
 * backup is written, 1 it failed, 2 wrong usage, 3 the database cannot be opened.
 */
@Command(
    name = "backup",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Writes a backup of a database to a directory, while others use the database.",
    footer = {
      "",
      "The first backup in a directory contains all rows; later ones contain the changes",
      "since the previous backup. If another process has a database in files open, back it",
      "up in that process with the SQL statement BACKUP TO 'directory'. The secret can",
      "also be given in the environment variable NELUMBO_SECRET."
    })
final class BackupCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "URL", description = "As jdbc:nelumbo:file:DIRECTORY.")
  private String url;

  @Parameters(index = "1", paramLabel = "DIR", description = "Directory of the backups.")
  private Path directory;

  @Option(
      names = "--full",
      description = "Write all rows, even if the directory has an earlier backup.")
  private boolean isFull;

  @Override
  public Integer call() throws Exception {
    PoolUrl.check(spec, url, "has a database to back up");
    try (Connection connection = PoolUrl.connect(url, "create=false");
        Statement statement = connection.createStatement()) {
      return run(statement);
    } catch (SQLException e) {
      spec.commandLine().getErr().println("nelumbo: no backup was written: " + e.getMessage());
      return ExitStatus.NO_DATABASE;
    }
  }

  private int run(Statement statement) throws Exception {
    try {
      statement.execute("BACKUP TO '" + PoolUrl.quoted(directory) + "'" + (isFull ? " FULL" : ""));
    } catch (SQLException e) {
      spec.commandLine().getErr().println("nelumbo: no backup was written: " + e.getMessage());
      return ExitStatus.FAILED;
    }
    try (Disk disk = DirectoryDisk.openToRead(directory)) {
      Backup backup = BackupFiles.open(disk, RowLayout.FORMAT).newest();
      PrintWriter out = spec.commandLine().getOut();
      out.println(
          "backup file="
              + backup.name()
              + " bytes="
              + backup.bytes()
              + (backup.isFull() ? " all rows" : " what has changed"));
      out.flush();
    }
    return ExitStatus.DONE;
  }
}
