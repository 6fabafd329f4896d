package org.nelumbo.benchmark.run;

/** Told about a run now and then, by the thread that waits for it. */
public interface RunProgress {
  /** Does nothing. */
  RunProgress NONE = _ -> {};

  /** The run goes on. */
  void tick(RunState state);

  /** The warm-up is over. */
  default void measuringBegins() {}

  /** The measured time is over; the last transactions may still be on their way. */
  default void measuringEnds() {}

  /** Tells two. */
  default RunProgress and(RunProgress other) {
    RunProgress first = this;
    return new RunProgress() {
      @Override
      public void tick(RunState state) {
        first.tick(state);
        other.tick(state);
      }

      @Override
      public void measuringBegins() {
        first.measuringBegins();
        other.measuringBegins();
      }

      @Override
      public void measuringEnds() {
        other.measuringEnds();
        first.measuringEnds();
      }
    };
  }
}
