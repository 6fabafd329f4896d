package org.nelumbo.benchmark.console;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.nelumbo.benchmark.LoadProgress;
import org.nelumbo.benchmark.run.RunProgress;
import org.nelumbo.benchmark.run.RunState;

/**
 * Progress on the console: a live line below the output on a terminal, or a plain line every ten
 * seconds in a pipe or a file.
 */
public final class ProgressLine {
  private ProgressLine() {}

  /**
   * Without a terminal, depending on the JDK, there is no console, or the console reports that it
   * is not a terminal.
   */
  private static boolean watched() {
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
  }

  /** Creates the line for loading. Close it at the end. */
  public static Loading loading() {
    return new Loading(watched() ? builder("load").setUnit(" rows", 1).build() : null);
  }

  /** Creates the line for running. Close it at the end. Without a terminal, lines go to the log. */
  public static Running running(PrintWriter log) {
    return new Running(watched() ? builder("run").setUnit(" s", 1).build() : null, log);
  }

  private static ProgressBarBuilder builder(String task) {
    return new ProgressBarBuilder()
        .setTaskName(task)
        .setStyle(ProgressBarStyle.ASCII)
        .setUpdateIntervalMillis(250)
        .clearDisplayOnFinish();
  }

  /** Progress of a load. */
  public static final class Loading implements LoadProgress, AutoCloseable {
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

  /** Progress of a run: a live line on a terminal, or a plain line every ten seconds in a log. */
  public static final class Running implements RunProgress, AutoCloseable {
    private static final long PLAIN_SECONDS = 10;

    private final ProgressBar bar;
    private final PrintWriter log;
    private long nextPlainSecond = PLAIN_SECONDS;

    private Running(ProgressBar bar, PrintWriter log) {
      this.bar = bar;
      this.log = log;
    }

    @Override
    public void tick(RunState state) {
      long second = state.elapsed().toSeconds();
      if (bar != null) {
        bar.maxHint(state.end().toSeconds());
        bar.stepTo(second);
        bar.setExtraMessage(RunLine.of(state));
      } else if (second >= nextPlainSecond) {
        nextPlainSecond = second + PLAIN_SECONDS;
        log.println(second + " s: " + RunLine.of(state));
        log.flush();
      }
    }

    @Override
    public void close() {
      if (bar != null) {
        bar.close();
      }
    }
  }
}
