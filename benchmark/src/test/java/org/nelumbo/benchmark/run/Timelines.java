package org.nelumbo.benchmark.run;

import java.time.Duration;

/** Timelines for tests of their display. */
public final class Timelines {
  private Timelines() {}

  /**
   * Returns a state after the given time. In each second the given number of transactions
   * committed, each of 50 us, and 3 aborted.
   */
  public static RunState after(Duration elapsed, int... committed) {
    Timeline timeline = new Timeline(Duration.ofSeconds(60));
    Timeline.Recorder recorder = timeline.recorder(0);
    for (int second = 0; second < committed.length; second++) {
      for (int i = 0; i < committed[second]; i++) {
        recorder.at(second * 1_000_000_000L).ended(Outcome.COMMITTED, 50_000, i == 0 ? 3 : 0);
      }
    }
    recorder.handOver();
    return new RunState(elapsed, Duration.ofSeconds(2), Duration.ofSeconds(60), 0, timeline);
  }
}
