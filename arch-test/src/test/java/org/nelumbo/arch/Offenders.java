package org.nelumbo.arch;

import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Blob;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Logger;

/** Classes that each break one rule. */
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

  /** A Blob with three methods that throw something other than an {@code SQLException}. */
  static final class LeakyBlob implements Blob {
    private final long[] lengths = {1};

    @Override
    public long length() {
      return lengths[0];
    }

    @Override
    public InputStream getBinaryStream() {
      throw new IllegalStateException();
    }

    @Override
    public long position(Blob pattern, long start) throws SQLException {
      return pattern.length();
    }

    @Override
    public long position(byte[] pattern, long start) throws SQLException {
      try {
        return pattern[0];
      } catch (Throwable e) {
        throw new SQLException(e);
      }
    }

    @Override
    public byte[] getBytes(long position, int length) {
      return new byte[0];
    }

    @Override
    public InputStream getBinaryStream(long position, long length) {
      return null;
    }

    @Override
    public int setBytes(long position, byte[] bytes) {
      return 0;
    }

    @Override
    public int setBytes(long position, byte[] bytes, int offset, int length) {
      return setBytes(position, bytes);
    }

    @Override
    public OutputStream setBinaryStream(long position) {
      return null;
    }

    @Override
    public void truncate(long length) {}

    @Override
    public void free() {}
  }

  private Offenders() {}
}
