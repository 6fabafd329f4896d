package org.nelumbo.benchmark.command;

import java.time.Duration;
import java.util.Optional;
import org.nelumbo.benchmark.run.Arrivals;
import org.nelumbo.benchmark.run.LoopSettings;
import org.nelumbo.benchmark.run.OfferedRate;
import org.nelumbo.benchmark.run.Warmup;
import org.nelumbo.cli.DurationConverter;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options for the amount and the duration of the load; part of the shared options. */
public final class LoadOptions {
  /** Sources of connections. */
  enum Pool {
    /** Each terminal has a connection of its own. */
    PLAIN,
    /** Each transaction takes a connection from a HikariCP pool. */
    HIKARI
  }

  private static final Duration GRACE = Duration.ofSeconds(60);

  @Option(
      names = "--terminals",
      paramLabel = "N",
      defaultValue = "1",
      description = "Number of clients; each is a thread (default: ${DEFAULT-VALUE}).")
  int terminals;

  @Option(
      names = "--warmup",
      paramLabel = "TIME",
      defaultValue = "5s",
      converter = WarmupConverter.class,
      description =
          "Time before the measurement, or 'auto': until the throughput is steady, but at most one"
              + " minute, or TIME in 'auto:TIME' (default: ${DEFAULT-VALUE}).")
  Warmup warmup;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "20s",
      converter = DurationConverter.class,
      description = "Duration of the measurement (default: ${DEFAULT-VALUE}).")
  Duration duration;

  @Option(
      names = "--rate",
      paramLabel = "N",
      converter = RateConverter.class,
      description =
          "Open loop: number of transactions that arrive per second, whether or not the database"
              + " keeps up; latencies are measured from the arrival (default: closed loop, in which"
              + " each terminal sends its next transaction when the previous one has ended).")
  Double rate;

  @Option(
      names = "--arrivals",
      defaultValue = "poisson",
      description =
          "Distribution of the arrivals of an open loop: ${COMPLETION-CANDIDATES}"
              + " (default: ${DEFAULT-VALUE}).")
  Arrivals arrivals;

  @Option(
      names = "--retries",
      paramLabel = "N",
      defaultValue = "100",
      description = "Maximum number of retries of a transaction after conflicts (default: 100).")
  int retriesMax;

  @Option(
      names = "--no-backoff",
      description =
          "Retry a transaction immediately after a conflict, like programs with a simple retry loop"
              + " (default: after a random pause that doubles, up to 10 ms).")
  boolean withoutBackoff;

  @Option(
      names = "--pool",
      defaultValue = "plain",
      description =
          "plain: each terminal has its own connection; hikari: each transaction borrows a"
              + " connection from a pool, prepares its statements and returns it (default:"
              + " ${DEFAULT-VALUE}).")
  Pool pool;

  @Option(
      names = "--pool-size",
      paramLabel = "N",
      description = "Number of connections in the pool (default: one per terminal).")
  Integer poolSize;

  /** Returns true if an open loop is requested. */
  public boolean openLoop() {
    return rate != null;
  }

  boolean pooled() {
    return pool == Pool.HIKARI;
  }

  int poolSize() {
    return poolSize == null ? terminals : poolSize;
  }

  /** Returns a message about the first invalid option, or null if all are valid. */
  String mistake() {
    if (terminals < 1 || retriesMax < 0) {
      return "--terminals must be at least 1, --retries at least 0";
    }
    if (!duration.isPositive()) {
      return "--duration must be more than 0";
    }
    if (poolSize != null && (!pooled() || poolSize < 1)) {
      return "--pool-size needs --pool hikari and must be at least 1";
    }
    return null;
  }

  LoopSettings settings(long seed) {
    Optional<OfferedRate> offered =
        Optional.ofNullable(rate).map(perSecond -> new OfferedRate(perSecond, arrivals));
    return new LoopSettings(
        terminals, warmup, duration, offered, retriesMax, !withoutBackoff, GRACE, seed);
  }

  /** Parses {@code auto}, {@code auto:2m} or a duration. */
  static final class WarmupConverter implements ITypeConverter<Warmup> {
    private static final String AUTOMATIC = "auto";

    @Override
    public Warmup convert(String text) {
      if (text.equals(AUTOMATIC)) {
        return Warmup.automatic(Warmup.AUTOMATIC_LONGEST);
      }
      DurationConverter durations = new DurationConverter();
      return text.startsWith(AUTOMATIC + ":")
          ? Warmup.automatic(durations.convert(text.substring(AUTOMATIC.length() + 1)))
          : Warmup.fixed(durations.convert(text));
    }
  }

  /** Parses {@code 5000} or {@code 5000/s}. */
  static final class RateConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      String number = text.endsWith("/s") ? text.substring(0, text.length() - 2) : text;
      try {
        return new OfferedRate(Double.parseDouble(number), Arrivals.POISSON).perSecond();
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            "'" + text + "' is not a rate; write 5000 or 5000/s, more than 0 and at most 1e8");
      }
    }
  }
}
