package org.nelumbo.benchmark.run;

import java.time.Duration;

/** Told about a run now and then, by the thread that waits for it. */
public interface RunProgress {
  /** Does nothing. */
  RunProgress NONE = (_, _) -> {};

  /**
   * The run goes on.
   *
   * @param elapsed since the terminals started, warm-up included
   * @param finished transactions finished by all terminals so far
   */
  void tick(Duration elapsed, long finished);
}
