package org.nelumbo.launcher;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.nelumbo.benchmark.ExitStatus;
import org.nelumbo.dm.disk.DirectoryDisk;
import org.nelumbo.dm.disk.Disk;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.planner.durable.DirectoryCheck;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code nelumbo check}: whether the files of a database, or backups, are as they were written.
 * Exit status: 0 they are, 1 something is damaged, 2 wrong usage, 3 they cannot be read.
 */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Reads all files of a database, or all backups in a directory, and checks them.",
    footer = {
      "",
      "No process may have the database open meanwhile. What is damaged is named, with",
      "file and offset; nothing is changed."
    })
final class CheckCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "The directory of the database or the backups.")
  private Path directory;

  @Override
  public Integer call() {
    if (!Files.isDirectory(directory)) {
      throw new ParameterException(spec.commandLine(), "there is no directory " + directory);
    }
    PrintWriter err = spec.commandLine().getErr();
    try (Disk disk = DirectoryDisk.openAnywhere(directory, "a check")) {
      DirectoryCheck check = DirectoryCheck.of(new SystemEnvironment(), disk);
      PrintWriter out = spec.commandLine().getOut();
      check.lines().forEach(out::println);
      out.println(check.damage().isEmpty() ? "all is as it was written" : "damaged");
      out.flush();
      check.damage().forEach(each -> err.println("nelumbo: " + each));
      return check.damage().isEmpty() ? ExitStatus.DONE : ExitStatus.FAILED;
    } catch (PoolOpenException | IOException e) {
      err.println("nelumbo: it cannot be checked: " + e.getMessage());
      return ExitStatus.NO_DATABASE;
    }
  }
}
