package org.nelumbo.benchmark.run;

import java.util.concurrent.locks.LockSupport;

/** The time a loop lives by. Used by all terminals at once. */
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

  /** Nanoseconds since some instant; only differences mean something. */
  long nanos();

  /** Sleeps about so long, perhaps shorter. */
  void park(long nanos);

  /** Passes the shortest time there is, without letting go of the core. */
  void spin();
}
