package org.nelumbo.benchmark.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.Locale;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;

/**
 * Records the measured time with the JDK Flight Recorder, with the settings {@code profile}.
 * Enabling events recompiles code. To keep this out of the measured time, a first recording, which
 * is discarded, runs during the warm-up.
 */
public final class FlightRecording implements RunProgress, AutoCloseable {
  private static final String SETTINGS = "profile";

  private final Path file;
  private final Recording warmup;
  private final Recording measured;

  private FlightRecording(Path file) throws IOException {
    this.file = file;
    try {
      Configuration settings = Configuration.getConfiguration(SETTINGS);
      this.warmup = new Recording(settings);
      this.measured = new Recording(settings);
    } catch (ParseException e) {
      throw new IOException("the JDK's settings " + SETTINGS + " cannot be read", e);
    }
    warmup.start();
  }

  /** Starts the recording of the warm-up. */
  public static FlightRecording into(Path file) {
    try {
      return new FlightRecording(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the file of one of several runs: {@code a.jfr} becomes {@code a-2-h2.jfr}. */
  public static Path fileOf(Path file, int number, String product) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    String stem = dot < 0 ? name : name.substring(0, dot);
    String suffix = dot < 0 ? "" : name.substring(dot);
    String plain = product.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    return file.resolveSibling(stem + "-" + number + "-" + plain + suffix);
  }

  @Override
  public void tick(RunState state) {}

  @Override
  public void measuringBegins() {
    measured.start();
  }

  @Override
  public void measuringEnds() {
    measured.stop();
    try {
      measured.dump(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    measured.close();
    warmup.close();
  }
}
