package org.nelumbo.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.nelumbo.database.durable.DirectoryCheck;
import org.nelumbo.dm.disk.DirectoryDisk;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.error.ErrorCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo check}: checks the integrity of a database or of backups. Exit status: 0 no
 * defects, 1 defects were found, 2 wrong usage, 3 the files or the database cannot be read.
 */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Checks the files of a database or of its backups, or a whole database.",
    footer = {
      "",
      "For a directory, the command reads every byte of every file; another process can",
      "have the database open. For a URL, it compares each index with its table in both",
      "directions, and checks the rows against all constraints. The database of a URL such",
      "as jdbc:nelumbo:file:DIR?memory=8g is loaded into the memory of this command, even",
      "if another process has it open. A pool in shared memory or on memory nodes is",
      "opened, and stays available to other processes.",
      "",
      "Each defect is reported on a line; nothing is changed. The secret can also be given",
      "in the environment variable NELUMBO_SECRET."
    })
final class CheckCommand implements Callable<Integer> {
  private static final String URL_PREFIX = "jdbc:nelumbo:";
  private static final String FILE_PREFIX = URL_PREFIX + "file:";

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DIR|URL",
      description = "Directory of a database or of backups, or the URL of a database.")
  private String place;

  private int found;

  @Override
  public Integer call() {
    boolean isUrl = place.startsWith(URL_PREFIX);
    if (!isUrl) {
      return end(checkFiles(directory(place)));
    }
    PoolUrl.check(spec, place, "has a database to check");
    if (place.startsWith(FILE_PREFIX)) {
      Path directory = directory(place.substring(FILE_PREFIX.length()).replaceAll("[?;].*", ""));
      return end(checkFiles(directory) && checkLoaded(directory));
    }
    return end(checkPool());
  }

  private Path directory(String name) {
    Path directory = Path.of(name);
    if (!Files.isDirectory(directory)) {
      throw new ParameterException(spec.commandLine(), "there is no directory " + directory);
    }
    return directory;
  }

  private int end(boolean isRead) {
    if (!isRead) {
      return ExitStatus.NO_DATABASE;
    }
    print(found == 0 ? "all is sound" : "damaged findings=" + found);
    return found == 0 ? ExitStatus.DONE : ExitStatus.FAILED;
  }

  private void print(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }

  private void tell(String finding) {
    found++;
    spec.commandLine().getErr().println("nelumbo: " + finding);
  }

  private boolean failed(Exception e) {
    spec.commandLine().getErr().println("nelumbo: the check failed: " + e.getMessage());
    return false;
  }

  private boolean checkFiles(Path directory) {
    try (Disk disk = DirectoryDisk.openToRead(directory)) {
      DirectoryCheck check = DirectoryCheck.of(disk);
      check.lines().forEach(this::print);
      check.damage().forEach(this::tell);
      return true;
    } catch (PoolOpenException | IOException e) {
      return failed(e);
    }
  }

  /** Loads the contents of the files into the memory of this process, and checks them. */
  private boolean checkLoaded(Path directory) {
    Matcher memory = Pattern.compile("(?i)[?&;]memory=([^&;]*)").matcher(place);
    String url = URL_PREFIX + "mem:check" + (memory.find() ? "?memory=" + memory.group(1) : "");
    int foundInFiles = found;
    try (Connection connection = PoolUrl.connect(url, "create=true");
        Statement statement = connection.createStatement()) {
      FindingLines findings = new FindingLines(statement);
      statement.execute("RESTORE FROM '" + PoolUrl.quoted(directory) + "' SALVAGE");
      if (foundInFiles == 0) {
        findings.lines().forEach(this::tell);
      }
      check(statement);
      return true;
    } catch (SQLException e) {
      return failed(e);
    }
  }

  private boolean checkPool() {
    try (Connection connection = PoolUrl.connect(place, "create=false");
        Statement statement = connection.createStatement()) {
      check(statement);
      return true;
    } catch (SQLException e) {
      return failed(e);
    }
  }

  private void check(Statement statement) throws SQLException {
    try {
      statement.execute("CHECK DATABASE");
    } catch (SQLException e) {
      if (!ErrorCode.DATA_CORRUPTED.sqlState().equals(e.getSQLState())) {
        throw e;
      }
      new FindingLines(statement).lines().forEach(this::tell);
    }
  }
}
