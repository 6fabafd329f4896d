package org.nelumbo.simulation.fabric;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.nelumbo.simulation.config.Settings;

/**
 * A model of a network: its costs, and how it tears verbs. All times in nanoseconds.
 *
 * @param name name of the preset or file
 * @param remote whether round trips cost much more than memory accesses
 * @param roundTrip round trip of a small verb on an idle network
 * @param jitter maximum additional time each way, uniformly distributed
 * @param readWrite time that an RNIC needs for a READ or WRITE
 * @param atomic time that an RNIC needs for a CAS or FAA
 * @param byteTime additional time for each byte moved
 * @param post delay of a coordinator without a processor for each verb
 * @param completion delay of a coordinator without a processor for each flush
 * @param tornChance probability that a READ or WRITE across a grain boundary is torn
 * @param tornGrain bytes that move together: 64 for an RNIC, 8 for copies by CPUs
 * @param tornSpread maximum time between two parts of a torn verb
 * @param wholeWrites whether a WRITE that has begun to land lands wholly, even if its sender fails
 *     or is fenced: memory nodes execute whole requests, copies by CPUs may end anywhere
 * @param wholeFrames whether the verbs of a flush to one memory node are a frame, which leaves with
 *     the flush and lands wholly or not at all, as over TCP
 * @param timeout time after which a flush fails if its node does not reply
 * @param overlaps whether a network card moves bytes while its engine handles other verbs
 * @param atomicsApart whether atomics occupy a unit of their own instead of the engine; only if the
 *     card overlaps
 * @param cpu processor time of compute nodes that have processors
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
    long timeout,
    boolean overlaps,
    boolean atomicsApart,
    CpuModel cpu) {
  /** The models that are part of the simulator. */
  public static final List<String> PRESETS =
      List.of("lotus-56g", "pandora-100g", "cxl", "tcp", "local");

  private static final double SECOND = 1e9;
  private static final double BITS = 8;

  /**
   * Returns the preset with this name.
   *
   * @throws IllegalArgumentException with the list of presets if there is no such preset
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

  /** Returns this network marked as not remote, so that compute nodes cache nothing. */
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
        timeout,
        overlaps,
        atomicsApart,
        cpu);
  }

  /**
   * Returns this network with other values of some keys of a preset.
   *
   * @throws IllegalArgumentException if a key is unknown or a value invalid
   */
  public FabricModel with(Map<String, String> values) {
    Settings settings = Settings.of("fabric", values);
    FabricModel changed = of(this, "", settings);
    settings.refuseUnknown();
    return changed;
  }

  /**
   * Reads a preset, named by the key {@code fabric}, with overrides from the keys of a scenario
   * that begin with {@code fabric.}.
   */
  public static FabricModel of(Settings scenario) {
    FabricModel base = preset(scenario.text("fabric", "lotus-56g"));
    return of(base, "fabric.", scenario);
  }

  private static FabricModel of(String name, Settings settings) {
    FabricModel free =
        new FabricModel(
            name,
            false,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            64,
            0,
            false,
            false,
            1_000_000,
            false,
            false,
            CpuModel.FREE);
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
        settings.nanos(prefix + "timeout", base.timeout + "ns"),
        settings.flag(prefix + "card.overlaps", base.overlaps),
        settings.flag(prefix + "card.atomics-apart", base.atomicsApart),
        CpuModel.of(base.cpu, prefix + "cpu.", settings));
  }

  /** A missing rate means no time. */
  private static double time(Settings settings, String key, double otherwise) {
    double rate = settings.number(key, otherwise == 0 ? 0 : SECOND / otherwise);
    return rate == 0 ? 0 : SECOND / rate;
  }
}
