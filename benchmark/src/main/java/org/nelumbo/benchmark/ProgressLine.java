package org.nelumbo.benchmark;

import java.io.Console;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.nelumbo.benchmark.run.RunProgress;
import org.nelumbo.benchmark.run.RunState;

/** The live line below the output while a person watches; nothing at all in a pipe or a file. */
final class ProgressLine {
  private ProgressLine() {}

  /** Without a terminal there is no console, or one that says it is none, depending on the JDK. */
  private static boolean watched() {
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
  }

  /** The line while loading; close it at the end. */
  static Loading loading() {
    return new Loading(watched() ? builder("load").setUnit(" rows", 1).build() : null);
  }

  /** The line while running; close it at the end. */
  static Running running() {
    return new Running(watched() ? builder("run").setUnit(" s", 1).build() : null);
  }

  private static ProgressBarBuilder builder(String task) {
    return new ProgressBarBuilder()
        .setTaskName(task)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(250)
        .clearDisplayOnFinish();
  }

  /** Progress of a load. */
  static final class Loading implements LoadProgress, AutoCloseable {
    private final ProgressBar bar;

    private Loading(ProgressBar bar) {
      this.bar = bar;
    }

    @Override
    public void expect(long rows) {
      if (bar != null) {
        bar.maxHint(rows);
      }
    }

    @Override
    public void loaded(long rows) {
      if (bar != null) {
        bar.stepBy(rows);
      }
    }

    @Override
    public void close() {
      if (bar != null) {
        bar.close();
      }
    }
  }

  /** Progress of a run: seconds gone, and the rate since the last tick. */
  static final class Running implements RunProgress, AutoCloseable {
    private final ProgressBar bar;
    private Duration lastElapsed = Duration.ZERO;
    private long lastFinished;

    private Running(ProgressBar bar) {
      this.bar = bar;
    }

    @Override
    public void tick(RunState state) {
      double seconds = state.elapsed().minus(lastElapsed).toNanos() / 1e9;
      if (bar != null && seconds > 0) {
        bar.maxHint(state.end().toSeconds());
        bar.stepTo(state.elapsed().toSeconds());
        double rate = (state.finished() - lastFinished) / seconds;
        bar.setExtraMessage(String.format(Locale.ROOT, "%,.0f transactions/s", rate));
      }
      lastElapsed = state.elapsed();
      lastFinished = state.finished();
    }

    @Override
    public void close() {
      if (bar != null) {
        bar.close();
      }
    }
  }
}
