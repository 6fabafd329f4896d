package org.nelumbo.benchmark.run;

/** A listener for the progress of a run. Called by the thread that waits for the run. */
public interface RunProgress {
  /** A listener that does nothing. */
  RunProgress NONE = _ -> {};

  /** Called repeatedly while the run continues. */
  void tick(RunState state);

  /** Called when the warm-up has ended. */
  default void measuringBegins() {}

  /** Called when the measured time has ended. The last transactions may still be running. */
  default void measuringEnds() {}

  /** Returns a listener that calls this one and another one. */
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
