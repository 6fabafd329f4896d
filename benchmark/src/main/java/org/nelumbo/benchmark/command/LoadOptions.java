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
      description = "Clients, each a thread (default: ${DEFAULT-VALUE}).")
  int terminals;

  @Option(
      names = "--warmup",
      paramLabel = "TIME",
      defaultValue = "5s",
      converter = WarmupConverter.class,
      description =
          "Time before anything counts, or 'auto': until the throughput is steady, a minute at"
              + " most, or as long as 'auto:TIME' says (default: ${DEFAULT-VALUE}).")
  Warmup warmup;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      defaultValue = "20s",
      converter = DurationConverter.class,
      description = "Measured time (default: ${DEFAULT-VALUE}).")
  Duration duration;

  @Option(
      names = "--rate",
      paramLabel = "N",
      converter = RateConverter.class,
      description =
          "Open loop: so many transactions arrive a second, whether or not the database keeps up;"
              + " latencies count from the arrival (default: closed loop, each terminal sends its"
              + " next transaction when the last one has ended).")
  Double rate;

  @Option(
      names = "--arrivals",
      defaultValue = "poisson",
      description =
          "How arrivals of an open loop are spread: ${COMPLETION-CANDIDATES}"
              + " (default: ${DEFAULT-VALUE}).")
  Arrivals arrivals;

  @Option(
      names = "--retries",
      paramLabel = "N",
      defaultValue = "100",
      description = "Tries after conflicts before a transaction is given up (default: 100).")
  int retriesMax;

  @Option(
      names = "--no-backoff",
      description =
          "Repeat a transaction at once after a conflict, as programs with a plain retry loop do"
              + " (default: after a random pause that doubles, up to 10 ms).")
  boolean withoutBackoff;

  @Option(
      names = "--pool",
      defaultValue = "plain",
      description =
          "plain: each terminal has a connection of its own; hikari: each transaction takes one"
              + " from a pool, prepares its statements and gives it back (default:"
              + " ${DEFAULT-VALUE}).")
  Pool pool;

  @Option(
      names = "--pool-size",
      paramLabel = "N",
      description = "Connections in the pool (default: one for each terminal).")
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
      return "--pool-size goes with --pool hikari and must be at least 1";
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
            "'" + text + "' is no rate; write 5000 or 5000/s, more than 0 and at most 1e8");
      }
    }
  }
}
