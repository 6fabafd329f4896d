package org.nelumbo.simulation.scenario;

import java.io.Console;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The live progress line on a terminal. It prints nothing to a pipe or a file. */
final class SoakProgress implements AutoCloseable {
  private static final long PERIOD_MILLIS = 250;
  private static final double SECOND = 1e9;

  private final Soak soak;
  private final long seeds;
  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread painter = Thread.ofPlatform().daemon().name("progress").unstarted(this::run);

  SoakProgress(Soak soak, long seeds) {
    this.soak = soak;
    this.seeds = seeds;
  }

  void start() {
    if (Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()) {
      painter.start();
    }
  }

  private void run() {
    Console console = System.console();
    long start = System.nanoTime();
    try {
      while (!done.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
        SoakTotals totals = soak.totals();
        double seconds = (System.nanoTime() - start) / SECOND;
        console.printf(
            "\r%s",
            String.format(
                Locale.ROOT,
                "%s: %,d of %,d seeds, %,d transactions (%,.0f/s), %,d faults, %d failed ",
                soak.scenario().name(),
                totals.runs(),
                seeds,
                totals.committed(),
                totals.committed() / seconds,
                totals.faults(),
                totals.violations()));
        console.flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    console.printf("\r%s\r", " ".repeat(100));
    console.flush();
  }

  @Override
  public void close() {
    done.countDown();
    if (painter.isAlive()) {
      try {
        painter.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
