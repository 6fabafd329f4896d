package org.nelumbo.benchmark.run;

import java.util.concurrent.locks.LockSupport;

/** The clock of a loop. Used by all terminals concurrently. */
interface LoopClock {
  /** The system's clock. */
  LoopClock SYSTEM =
      new LoopClock() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        public void park(long nanos) {
          LockSupport.parkNanos(nanos);
        }

        @Override
        public void spin() {
          Thread.onSpinWait();
        }
      };

  /** Returns nanoseconds since an arbitrary instant; only differences are meaningful. */
  long nanos();

  /** Sleeps for about this time, possibly less. */
  void park(long nanos);

  /** Waits for the shortest possible time, without releasing the core. */
  void spin();
}
