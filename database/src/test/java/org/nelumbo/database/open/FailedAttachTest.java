package org.nelumbo.database.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.database.DatabaseOptions;
import org.nelumbo.database.Sql;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.error.NelumboException;
import org.nelumbo.session.SessionOptions;

/**
 * A failed attempt to open a pool releases it. A channel left open would keep the connections,
 * whose heartbeats show that the pool has an owner.
 */
@Timeout(60)
class FailedAttachTest {
  private static final int NEVER = Integer.MAX_VALUE;

  private final LocalFabric memory = new LocalFabric(1, 16L << 20);
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final AtomicInteger flushesLeft = new AtomicInteger(NEVER);

  /** Number of times that closing the fabric will fail. */
  private final AtomicInteger failuresToClose = new AtomicInteger();

  /** Name of the database thread that cannot be started; null if all threads can be. */
  private String failingThread;

  @AfterEach
  void close() {
    memory.close();
  }

  /** A fabric that does not close the memory. */
  private final class Connections extends ForwardingFabric {
    Connections() {
      super(memory);
    }

    @Override
    public Channel openChannel(int stagingBytes) {
      open.incrementAndGet();
      return new ForwardingChannel(memory.openChannel(stagingBytes)) {
        @Override
        public void flush() {
          if (flushesLeft.getAndUpdate(left -> left == NEVER ? left : left - 1) == 0) {
            throw new FabricException("an answer was late", null);
          }
          super.flush();
        }

        @Override
        public void close() {
          open.decrementAndGet();
          super.close();
        }
      };
    }

    @Override
    public void close() {
      if (failuresToClose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new OutOfMemoryError("made up");
      }
      closed.incrementAndGet();
    }
  }

  private LocalDatabase attach() {
    Fabric fabric = new Connections();
    Environment system = new SystemEnvironment();
    Environment environment =
        (Environment)
            Proxy.newProxyInstance(
                Environment.class.getClassLoader(),
                new Class<?>[] {Environment.class},
                (_, method, arguments) ->
                    method.getName().equals("thread") && arguments[0].equals(failingThread)
                        ? new Unstartable((Runnable) arguments[1])
                        : method.invoke(system, arguments));
    return DatabaseOpener.attach(DatabaseOptions.defaults(), environment, "test", "", () -> fabric);
  }

  /** A thread that cannot be started for lack of memory. */
  private static final class Unstartable extends Thread {
    Unstartable(Runnable body) {
      super(body);
    }

    @Override
    public void start() {
      throw new OutOfMemoryError("unable to create native thread");
    }
  }

  private static void runAndClose(LocalDatabase database, String sql) {
    Sql session = new Sql(database);
    session.run(sql);
    session.close();
    database.close();
  }

  @Test
  void shouldCloseAllChannelsWhereverItFails() {
    runAndClose(attach(), "CREATE TABLE t (id INTEGER PRIMARY KEY)");
    assertEquals(0, open.get(), "channels that an orderly end leaves open");
    int flushes = 0;
    for (boolean fails = true; fails; flushes++) {
      closed.set(0);
      flushesLeft.set(flushes);
      try {
        LocalDatabase database = attach();
        fails = flushesLeft.getAndSet(NEVER) < 0;
        database.close();
      } catch (NelumboException e) {
        assertEquals("08001", e.sqlState(), e.toString());
      }
      assertEquals(0, open.get(), "channels open after flush " + flushes + " has failed");
      assertEquals(1, closed.get(), "the fabric is closed");
    }
    assertTrue(flushes > 10, flushes + " flushes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nelumbo-clock", "nelumbo-sweeper", "nelumbo-growth"})
  void shouldCloseAllChannelsIfAThreadCannotBeStarted(String thread) {
    failingThread = thread;
    assertThrows(OutOfMemoryError.class, this::attach);
    assertEquals(0, open.get());
    assertEquals(1, closed.get(), "the fabric is closed");
    failingThread = null;
    attach().close();
  }

  @Test
  void shouldCloseTheChannelOfASessionThatCannotBeOpened() {
    LocalDatabase database = attach();
    SessionOptions tooLong =
        SessionOptions.defaults().withSlowQuery(Duration.ofSeconds(Long.MAX_VALUE));
    assertThrows(ArithmeticException.class, () -> database.connect(tooLong));
    database.close();
    assertEquals(0, open.get());
  }

  /**
   * A full heap can interrupt the release of the pool by a stopped database; the release is then
   * retried.
   */
  @Test
  void shouldRetryFailedReleaseOfPool() {
    LocalDatabase database = attach();
    DatabaseHolder place = new DatabaseHolder();
    place.open(database);
    database.engine().stop(new OutOfMemoryError("made up"));
    failuresToClose.set(2);
    assertThrows(OutOfMemoryError.class, database::isOpen);
    assertSame(database, place.database(), "it has not let go yet");
    assertThrows(OutOfMemoryError.class, database::isOpen);
    assertFalse(database.isOpen());
    assertEquals(1, closed.get());
    assertEquals(0, open.get());
    assertNull(place.database());
    assertFalse(database.isOpen());
    assertEquals(1, closed.get(), "once is enough");
    attach().close();
  }
}
