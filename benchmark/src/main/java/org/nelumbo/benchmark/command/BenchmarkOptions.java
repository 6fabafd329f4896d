package org.nelumbo.benchmark.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.nelumbo.benchmark.database.DatabaseUrl;
import org.nelumbo.benchmark.database.IsolationLevel;
import org.nelumbo.benchmark.forked.ForkedRun;
import org.nelumbo.benchmark.run.LoopSettings;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that all benchmarks share; a picocli mixin. */
public final class BenchmarkOptions {
  /** Option that gives a worker process its number; worker processes are started by process 0. */
  static final String WORKER = "--worker";

  /** Option that names the file for the result of a worker process. */
  static final String WORKER_RESULT = "--worker-result";

  /** The interfaces to the engine that a benchmark can use. */
  public enum Api {
    /** SQL through any JDBC driver. */
    JDBC,
    /** Key operations, only for Nelumbo in this process. */
    NATIVE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Mixin LoadOptions load;
  @Mixin OutputOptions output;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "JDBC URL to measure; can be repeated to compare several databases"
              + " (default: jdbc:nelumbo:mem:bench).")
  private List<String> urls = new ArrayList<>();

  @Option(
      names = "--driver-jar",
      paramLabel = "JAR",
      description = "Jar with an additional JDBC driver; can be repeated.")
  List<Path> driverJars = new ArrayList<>();

  @Option(
      names = "--api",
      defaultValue = "jdbc",
      description = "API of the engine: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Api api;

  @Option(
      names = "--isolation",
      paramLabel = "LEVEL",
      defaultValue = "serializable",
      converter = LevelConverter.class,
      description =
          "serializable, snapshot, repeatable-read or read-committed (default: ${DEFAULT-VALUE}).")
  IsolationLevel isolation;

  @Option(
      names = "--protocol",
      paramLabel = "NAME",
      description = "Transaction protocol, for jdbc:nelumbo: URLs only (default: the driver's).")
  String protocol;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Number of measurements of each URL. The URLs take turns; each run has its own process"
              + " and newly loaded tables (default: ${DEFAULT-VALUE}).")
  int rounds;

  @Option(
      names = "--processes",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Number of processes that share the terminals; they start together and are reported as"
              + " one run. For databases that several processes can open (default:"
              + " ${DEFAULT-VALUE}).")
  int processes;

  @Option(
      names = WORKER,
      hidden = true,
      defaultValue = "0",
      description = "Number of this process; process 0 starts the others.")
  int worker;

  @Option(
      names = WORKER_RESULT,
      hidden = true,
      description = "File to which a worker writes its result.")
  Path workerResult;

  @Option(
      names = "--counters",
      description =
          "Also count round trips, verbs and bytes of each transaction type, for jdbc:nelumbo: URLs"
              + " only; adds a small overhead.")
  private boolean counters;

  @Option(
      names = "--jfr",
      paramLabel = "FILE",
      description =
          "Record the measured time with the JDK Flight Recorder; with several runs, a number and"
              + " the product are added to the file name.")
  Path jfr;

  @Option(
      names = "--check",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Check consistency before and after the run (default: yes).")
  boolean check;

  @Option(names = "--user", paramLabel = "NAME", description = "User of the database.")
  String user;

  @Option(
      names = "--password",
      paramLabel = "PASSWORD",
      defaultValue = "${env:" + ForkedRun.PASSWORD_VARIABLE + "}",
      description =
          "Password of the database; preferably set in the environment variable "
              + ForkedRun.PASSWORD_VARIABLE
              + ".")
  String password;

  @Option(names = "--debug", description = "Print stack traces of errors.")
  boolean debug;

  /** Returns the URLs to measure, at least one. */
  List<DatabaseUrl> urls() {
    List<String> given = urls.isEmpty() ? List.of("jdbc:nelumbo:mem:bench") : urls;
    return given.stream().map(DatabaseUrl::new).toList();
  }

  /** Returns the given seed, or one drawn at the first call. */
  public long seed() {
    return output.seed();
  }

  public Api api() {
    return api;
  }

  /** Returns true if round trips, verbs and bytes are counted. */
  public boolean counters() {
    return counters;
  }

  public LoadOptions load() {
    return load;
  }

  /** Returns a message about the first invalid option, or null if all are valid. */
  String mistake() {
    if (rounds < 1) {
      return "--rounds must be at least 1";
    }
    if (api == Api.NATIVE && load.pooled()) {
      return "--pool hikari is for --api jdbc: the native API has no connections";
    }
    return urls().stream()
        .map(this::mistake)
        .filter(Objects::nonNull)
        .findFirst()
        .or(() -> Optional.ofNullable(load.mistake()))
        .orElseGet(this::mistakeWithProcesses);
  }

  private String mistakeWithProcesses() {
    if (processes < 1 || processes > load.terminals) {
      return "--processes must be at least 1 and at most --terminals: each process has one or more";
    }
    if (processes == 1) {
      return null;
    }
    if (load.warmup.automatic()) {
      return "--warmup auto is for one process: with --processes, give --warmup a time";
    }
    if (counters || jfr != null) {
      return "--counters and --jfr cover one process only: omit them or --processes";
    }
    return urls().stream()
        .filter(url -> !url.isForSeveralProcesses())
        .findFirst()
        .map(
            url ->
                "--processes: "
                    + url
                    + " can be opened by one process only; name a database on a server, or a pool"
                    + " on memory nodes: jdbc:nelumbo://HOST:PORT/NAME?replicas=1")
        .orElse(null);
  }

  private String mistake(DatabaseUrl url) {
    if (protocol != null && !url.nelumbo()) {
      return "--protocol is for jdbc:nelumbo: URLs, not for " + url;
    }
    if (api == Api.NATIVE && !url.nelumbo()) {
      return "--api native is for jdbc:nelumbo: URLs, not for " + url;
    }
    if (counters && !url.nelumbo()) {
      return "--counters is for jdbc:nelumbo: URLs, not for " + url;
    }
    if (url.privateToConnection()) {
      return url + " gives each connection its own database; name a file";
    }
    return null;
  }

  Properties connectionProperties() {
    Properties properties = new Properties();
    put(properties, "user", user);
    put(properties, "password", password);
    put(properties, "protocol", protocol);
    put(properties, "counters", counters ? "true" : null);
    return properties;
  }

  /** Returns the settings of all processes together. */
  LoopSettings loopSettings() {
    return load.settings(seed());
  }

  /** Returns the settings of this process. */
  LoopSettings ownLoopSettings() {
    return loopSettings().part(worker, processes);
  }

  private static void put(Properties properties, String key, String value) {
    if (value != null) {
      properties.setProperty(key, value);
    }
  }

  /** Parses the names of isolation levels. */
  static final class LevelConverter implements ITypeConverter<IsolationLevel> {
    @Override
    public IsolationLevel convert(String text) {
      for (IsolationLevel level : IsolationLevel.values()) {
        if (level.optionName().equals(text.toLowerCase(Locale.ROOT))) {
          return level;
        }
      }
      throw new TypeConversionException(
          "'" + text + "' is not one of " + List.of(IsolationLevel.values()));
    }
  }
}
