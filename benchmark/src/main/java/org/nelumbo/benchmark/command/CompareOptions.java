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
      description = "Which benchmarks (default: all that measure databases).")
  List<String> benchmarks = new ArrayList<>();

  @Option(
      names = "--peers",
      paramLabel = "NAME",
      split = ",",
      description = "Which databases (default: all that are there; see 'drivers --list').")
  List<String> peers = new ArrayList<>();

  @Option(
      names = "--peer",
      paramLabel = "NAME=URL",
      description = "Where a database is, if not where the documentation starts it.")
  Map<String, String> urls = new LinkedHashMap<>();

  @Option(
      names = "--terminals",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,4",
      description = "Numbers of clients, each measured (default: ${DEFAULT-VALUE}).")
  List<Integer> terminals;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Measure all databases in turn so often (default: ${DEFAULT-VALUE}).")
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
      description = "Measured time of each run (default: ${DEFAULT-VALUE}).")
  String duration;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "A run that takes longer, loading and checks included, is ended and left out (default:"
              + " warm-up, duration and 15 minutes).")
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
      description = "A further option for one benchmark, such as tpcc:--warehouses=2.")
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
