package org.nelumbo.ycsb;

import org.nelumbo.benchmark.command.BenchmarkCommand;
import org.nelumbo.ycsb.terminal.CoreWorkload;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@code nelumbo bench ycsb}. */
@Command(name = "ycsb", mixinStandardHelpOptions = true, sortOptions = false)
final class YcsbCommand extends BenchmarkCommand {
  @Option(
      names = "--workload",
      paramLabel = "LETTER",
      defaultValue = "A",
      description =
          "Core workload: A half updates, B few updates, C reads only, D latest records, E short"
              + " scans, F read-modify-write (default: ${DEFAULT-VALUE}).")
  private CoreWorkload workload;

  @Option(
      names = {"--records", "--scale"},
      paramLabel = "N",
      defaultValue = "100000",
      description = "Records to load; 1.1 kB each (default: ${DEFAULT-VALUE}).")
  private int records;

  @Option(
      names = "--uniform",
      description = "Draw records uniformly (default: as defined by the workload).")
  private boolean uniform;

  @Option(
      names = "--theta",
      paramLabel = "X",
      defaultValue = "0.99",
      description = "Exponent of the Zipfian distribution (default: ${DEFAULT-VALUE}).")
  private double theta;

  @Option(
      names = "--max-scan-length",
      paramLabel = "N",
      defaultValue = "100",
      description = "Maximum number of records of a scan (default: ${DEFAULT-VALUE}).")
  private int scanLengthMax;

  @Override
  public Integer call() throws InterruptedException {
    require(
        records >= 1 && scanLengthMax >= 1, "--records and --max-scan-length must be at least 1");
    require(theta > 0 && theta != 1, "--theta must be more than 0 and not 1");
    YcsbSettings settings =
        new YcsbSettings(workload, records, uniform, theta, scanLengthMax, terminals());
    return run(database -> new YcsbWorkload(database, settings));
  }
}
