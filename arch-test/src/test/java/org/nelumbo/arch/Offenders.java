package org.nelumbo.arch;

import java.sql.Connection;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Logger;

/** Classes that break one rule each. */
final class Offenders {
  static final class Clock {
    long now() {
      return System.nanoTime();
    }
  }

  static final class Sleeper {
    void nap() throws InterruptedException {
      Thread.sleep(1);
    }
  }

  static final class Starter {
    Thread begin() {
      return Thread.ofVirtual().start(() -> {});
    }
  }

  static final class Gambler {
    int roll() {
      return new Random(1).nextInt(6);
    }
  }

  static final class Parker {
    void park() {
      LockSupport.park();
    }
  }

  static final class Waiter {
    boolean await(CountDownLatch latch) throws InterruptedException {
      return latch.await(1, TimeUnit.SECONDS);
    }
  }

  static final class Talker {
    void talk() {
      System.out.println("hello");
    }
  }

  static final class Logging {
    void talk() {
      Logger.getLogger("offender").info("hello");
    }
  }

  static final class Monitor {
    int count;

    synchronized void whole() {
      count++;
    }

    void block() {
      synchronized (this) {
        count++;
      }
    }
  }

  static final class Database {
    Connection connection;
  }

  private Offenders() {}
}
