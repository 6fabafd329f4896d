package org.nelumbo.benchmark;

/** A listener for the progress of a load. Any thread may call it. */
public interface LoadProgress {
  /** A listener that does nothing. */
  LoadProgress NONE =
      new LoadProgress() {
        @Override
        public void expect(long rows) {}

        @Override
        public void loaded(long rows) {}
      };

  /** Announces the approximate number of rows that will be loaded. */
  void expect(long rows);

  /** Reports that this many more rows have been loaded. */
  void loaded(long rows);
}
