package org.nelumbo.simulation.figure;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.nelumbo.simulation.fabric.FabricModel;

/** Figures of LOTUS's paper that need no engine. */
enum PublishedFigure {
  /** SmallBank with a growing number of transactions at a time; the cards saturate. */
  LOTUS_2 {
    @Override
    void print(PrintWriter out, FabricModel model, long nanos, long seed) {
      double[] rates =
          sweep(out, PublishedSystem.MOTOR, PublishedMix.smallBank(), model, nanos, seed);
      double peak = Arrays.stream(rates).max().orElseThrow();
      int knee =
          CONCURRENT.get(
              IntStream.range(0, rates.length)
                  .filter(i -> rates[i] >= NEARLY * peak)
                  .findFirst()
                  .orElseThrow());
      compare(out, "peak, M/s", 1.08, peak / MILLION, "predicted");
      compare(out, "transactions at a time at 90 % of the peak", 45, knee, "predicted");
    }
  },

  /** LOTUS, figure 3: Motor without the CAS of locks; the processors of compute nodes saturate. */
  LOTUS_3 {
    @Override
    void print(PrintWriter out, FabricModel model, long nanos, long seed) {
      PublishedMix mix = PublishedMix.smallBank();
      double with = last(PublishedSystem.MOTOR, mix, model, nanos, seed);
      double[] rates = sweep(out, PublishedSystem.MOTOR_WITHOUT_CAS, mix, model, nanos, seed);
      double end = rates[rates.length - 1];
      compare(out, "540 at a time, M/s", 2.6, end / MILLION, "calibrated (cpu.post)");
      compare(out, "over the rate with CAS", 2.4, end / with, "predicted");
    }
  },

  /** One record in a transaction, read or updated, uniform keys: parts (c) and (d). */
  LOTUS_12 {
    @Override
    void print(PrintWriter out, FabricModel model, long nanos, long seed) {
      double least = Double.MAX_VALUE;
      double most = 0;
      double shortest = Double.MAX_VALUE;
      double longest = 0;
      heading(out, "updates %");
      for (int percent = 0; percent <= 100; percent += 25) {
        PublishedMix mix = PublishedMix.keyValues(percent / 100.0);
        StepRun.Result motor = end(PublishedSystem.MOTOR, mix, model, nanos, seed);
        StepRun.Result lotus = end(PublishedSystem.LOTUS, mix, model, nanos, seed);
        line(out, PublishedSystem.MOTOR, percent, motor);
        line(out, PublishedSystem.LOTUS, percent, lotus);
        double ratio = lotus.perSecond() / motor.perSecond();
        least = Math.min(least, ratio);
        most = Math.max(most, ratio);
        double latency = (double) lotus.medianNanos() / motor.medianNanos();
        shortest = Math.min(shortest, latency);
        longest = Math.max(longest, latency);
      }
      compare(out, "rate over Motor's, lowest", 1.9, least, "predicted");
      compare(out, "rate over Motor's, highest", 2.3, most, "predicted");
      compare(out, "median latency over Motor's, lowest", 0.34, shortest, "predicted");
      compare(out, "median latency over Motor's, highest", 0.6, longest, "predicted");
    }
  };

  private static final double MILLION = 1e6;
  private static final double NEARLY = 0.9;

  /** Transactions at a time: 9 to 90 threads, then up to six coroutines on each of 90. */
  private static final List<Integer> CONCURRENT =
      List.of(9, 18, 27, 36, 45, 63, 90, 180, 270, 360, 450, 540);

  /** Prints the figure, and its published values beside those of the model. */
  abstract void print(PrintWriter out, FabricModel model, long nanos, long seed);

  /** Returns the name on the command line, such as {@code lotus-2}. */
  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static StepRun.Result end(
      PublishedSystem system, PublishedMix mix, FabricModel model, long nanos, long seed) {
    return StepRun.run(system, mix, model, CONCURRENT.getLast(), nanos, seed);
  }

  private static double last(
      PublishedSystem system, PublishedMix mix, FabricModel model, long nanos, long seed) {
    return end(system, mix, model, nanos, seed).perSecond();
  }

  private static double[] sweep(
      PrintWriter out,
      PublishedSystem system,
      PublishedMix mix,
      FabricModel model,
      long nanos,
      long seed) {
    heading(out, "at a time");
    double[] rates = new double[CONCURRENT.size()];
    for (int i = 0; i < rates.length; i++) {
      StepRun.Result result = StepRun.run(system, mix, model, CONCURRENT.get(i), nanos, seed);
      line(out, system, CONCURRENT.get(i), result);
      rates[i] = result.perSecond();
    }
    return rates;
  }

  private static void heading(PrintWriter out, String varied) {
    out.printf("  %-18s %9s %9s %9s %6s%n", "system", varied, "kTPS", "p50 us", "card%");
  }

  private static void line(
      PrintWriter out, PublishedSystem system, int varied, StepRun.Result result) {
    out.printf(
        "  %-18s %9d %9.1f %9.1f %6.1f%n",
        system.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        varied,
        result.perSecond() / 1e3,
        result.medianNanos() / 1e3,
        100 * result.card());
    out.flush();
  }

  private static void compare(
      PrintWriter out, String what, double published, double model, String how) {
    out.printf(
        Locale.ROOT,
        "  FIGURE %-46s published=%.2f model=%.2f ratio=%.2f %s%n",
        what,
        published,
        model,
        model / published,
        how);
  }
}
