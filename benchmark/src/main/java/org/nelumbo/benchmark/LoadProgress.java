package org.nelumbo.benchmark;

/** Told about rows while they are loaded, by any thread. */
public interface LoadProgress {
  /** Does nothing. */
  LoadProgress NONE =
      new LoadProgress() {
        @Override
        public void expect(long rows) {}

        @Override
        public void loaded(long rows) {}
      };

  /** So many rows will come, about. */
  void expect(long rows);

  /** So many more rows are in. */
  void loaded(long rows);
}
