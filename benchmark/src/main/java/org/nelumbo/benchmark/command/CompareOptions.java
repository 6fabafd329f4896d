package org.nelumbo.benchmark.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.nelumbo.cli.DurationConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code nelumbo bench compare}; a picocli mixin. */
final class CompareOptions {
  /** Time for loading and checks, which take minutes on a slow database. */
  private static final Duration LOAD_ALLOWANCE = Duration.ofMinutes(15);

  @Mixin OutputOptions output;

  @Option(
      names = "--benchmarks",
      paramLabel = "NAME",
      split = ",",
      description = "Benchmarks to run (default: all that measure databases).")
  List<String> benchmarks = new ArrayList<>();

  @Option(
      names = "--peers",
      paramLabel = "NAME",
      split = ",",
      description = "Databases to measure (default: all available ones; see 'drivers --list').")
  List<String> peers = new ArrayList<>();

  @Option(
      names = "--peer",
      paramLabel = "NAME=URL",
      description = "URL of a database, if it differs from the one in the documentation.")
  Map<String, String> urls = new LinkedHashMap<>();

  @Option(
      names = "--terminals",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,4",
      description = "Numbers of clients; each is measured (default: ${DEFAULT-VALUE}).")
  List<Integer> terminals;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Number of rounds; each measures all databases in turn (default: ${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--warmup",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "As for a single benchmark (default: ${DEFAULT-VALUE}).")
  String warmup;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "20s",
      description = "Duration of each measurement (default: ${DEFAULT-VALUE}).")
  String duration;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "Maximum time of a run, including loading and checks; a longer run is ended and omitted"
              + " (default: warm-up, duration and 15 minutes).")
  private Duration timeout;

  @Option(
      names = "--isolation",
      paramLabel = "LEVEL",
      defaultValue = "serializable",
      description = "As for a single benchmark (default: ${DEFAULT-VALUE}).")
  String isolation;

  @Option(
      names = "--pass",
      paramLabel = "NAME:OPTION",
      description = "Additional option for one benchmark, such as tpcc:--warehouses=2.")
  List<String> passed = new ArrayList<>();

  /**
   * Returns the time limit of a whole run.
   *
   * @throws picocli.CommandLine.TypeConversionException if the warm-up or the duration is invalid
   */
  Duration limit() {
    Duration measuring =
        new LoadOptions.WarmupConverter()
            .convert(warmup)
            .longest()
            .plus(new DurationConverter().convert(duration));
    return timeout != null ? timeout : measuring.plus(LOAD_ALLOWANCE);
  }

  /** Returns the options that are passed to one benchmark. */
  List<String> passedTo(String benchmark) {
    return passed.stream()
        .filter(each -> each.startsWith(benchmark + ":"))
        .map(each -> each.substring(benchmark.length() + 1))
        .toList();
  }
}
