package org.nelumbo.simulation.fabric;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.nelumbo.simulation.config.Settings;

/**
 * A model of a network: what it costs, and how it tears. All times in nanoseconds.
 *
 * @param name of the preset or file
 * @param remote whether round trips cost much more than memory accesses
 * @param roundTrip of a small verb on an idle network
 * @param jitter at most so much is added each way, uniformly
 * @param readWrite an RNIC is busy for so long with a READ or WRITE
 * @param atomic an RNIC is busy for so long with a CAS or FAA
 * @param byteTime for each byte moved
 * @param post of the coordinator's CPU, for each verb
 * @param completion of the coordinator's CPU, for each flush
 * @param tornChance how often a READ or WRITE that crosses a grain boundary is torn
 * @param tornGrain bytes that move together: 64 for an RNIC, 8 for copies by CPUs
 * @param tornSpread at most so much lies between two parts of a torn verb
 * @param wholeWrites whether a WRITE of which a part has landed lands wholly, though its sender
 *     dies or is fenced: memory nodes execute whole requests, copies by CPUs may end anywhere
 * @param wholeFrames whether the verbs of a flush to one memory node are a frame, which leaves with
 *     the flush and lands wholly or not at all, as over TCP
 * @param timeout after which a flush fails whose node does not answer
 */
public record FabricModel(
    String name,
    boolean remote,
    long roundTrip,
    long jitter,
    double readWrite,
    double atomic,
    double byteTime,
    long post,
    long completion,
    double tornChance,
    int tornGrain,
    long tornSpread,
    boolean wholeWrites,
    boolean wholeFrames,
    long timeout) {
  /** The models that come with the simulator. */
  public static final List<String> PRESETS =
      List.of("lotus-56g", "pandora-100g", "cxl", "tcp", "local");

  private static final double SECOND = 1e9;
  private static final double BITS = 8;

  /**
   * The preset of that name.
   *
   * @throws IllegalArgumentException that lists them if there is none
   */
  public static FabricModel preset(String name) {
    try {
      Settings settings = Settings.resource(FabricModel.class, name + ".properties");
      if (settings == null) {
        throw new IllegalArgumentException(
            "no fabric preset '" + name + "'; there are " + String.join(", ", PRESETS));
      }
      FabricModel model = of(name, settings);
      settings.refuseUnknown();
      return model;
    } catch (IOException e) {
      throw new UncheckedIOException("the preset cannot be read name=" + name, e);
    }
  }

  /** This network, taken for one that is near: compute nodes then cache nothing. */
  public FabricModel withoutCaches() {
    return new FabricModel(
        name + "-uncached",
        false,
        roundTrip,
        jitter,
        readWrite,
        atomic,
        byteTime,
        post,
        completion,
        tornChance,
        tornGrain,
        tornSpread,
        wholeWrites,
        wholeFrames,
        timeout);
  }

  /**
   * A preset, with what a scenario says otherwise under keys that begin with {@code fabric.}; its
   * preset is {@code fabric}.
   */
  public static FabricModel of(Settings scenario) {
    FabricModel base = preset(scenario.text("fabric", "lotus-56g"));
    return of(base, "fabric.", scenario);
  }

  private static FabricModel of(String name, Settings settings) {
    FabricModel free =
        new FabricModel(name, false, 0, 0, 0, 0, 0, 0, 0, 0, 64, 0, false, false, 1_000_000);
    return of(free, "", settings);
  }

  private static FabricModel of(FabricModel base, String prefix, Settings settings) {
    return new FabricModel(
        base.name,
        settings.flag(prefix + "remote", base.remote),
        settings.nanos(prefix + "round-trip", base.roundTrip + "ns"),
        settings.nanos(prefix + "jitter", base.jitter + "ns"),
        time(settings, prefix + "read-write-rate", base.readWrite),
        time(settings, prefix + "atomic-rate", base.atomic),
        BITS * time(settings, prefix + "bandwidth", base.byteTime / BITS),
        settings.nanos(prefix + "post", base.post + "ns"),
        settings.nanos(prefix + "completion", base.completion + "ns"),
        settings.probability(prefix + "torn-chance", base.tornChance),
        settings.integer(prefix + "torn-grain", base.tornGrain),
        settings.nanos(prefix + "torn-spread", base.tornSpread + "ns"),
        settings.flag(prefix + "whole-writes", base.wholeWrites),
        settings.flag(prefix + "whole-frames", base.wholeFrames),
        settings.nanos(prefix + "timeout", base.timeout + "ns"));
  }

  /** Nanoseconds for one, of a rate a second; no rate means no time. */
  private static double time(Settings settings, String key, double otherwise) {
    double rate = settings.number(key, otherwise == 0 ? 0 : SECOND / otherwise);
    return rate == 0 ? 0 : SECOND / rate;
  }
}
