package org.nelumbo.dm.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.env.Environment;

class SpinThenBlockTest {
  private static final long STEP_NANOS = SpinThenBlock.LIMIT_NANOS / 10;

  private long now;
  private final Line wire = new Line();
  private final Line spoken = new Line();
  private final SpinThenBlock spinThenBlock = new SpinThenBlock(stepping(), wire, spoken);

  /** A stream without data until {@link #available} has been called {@code readyAt} times. */
  private static final class Line extends InputStream {
    private int looks;
    private int readyAt = Integer.MAX_VALUE;
    private boolean closed;

    @Override
    public int available() throws IOException {
      if (closed) {
        throw new IOException("closed");
      }
      looks++;
      return looks >= readyAt ? 1 : 0;
    }

    @Override
    public int read() {
      throw new AssertionError("it is not Patience that reads");
    }

    @Override
    public int read(byte[] into, int from, int length) {
      return read();
    }
  }

  /** Returns an environment in which each read of the clock takes a tenth of the limit. */
  private Environment stepping() {
    return (Environment)
        Proxy.newProxyInstance(
            Environment.class.getClassLoader(),
            new Class<?>[] {Environment.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("stepAside")) {
                return null;
              }
              assertEquals("nanoTime", method.getName());
              return now += STEP_NANOS;
            });
  }

  private int looksOfOneWait() throws IOException {
    int before = wire.looks;
    spinThenBlock.await();
    return wire.looks - before;
  }

  @Test
  void shouldReturnAsSoonAsDataIsAvailable() throws IOException {
    wire.readyAt = 3;
    assertEquals(3, looksOfOneWait());
  }

  @Test
  void shouldDetectDecryptedData() throws IOException {
    spoken.readyAt = 2;
    assertEquals(2, looksOfOneWait());
  }

  @Test
  void shouldStopSpinningAtLimit() throws IOException {
    assertEquals(10, looksOfOneWait());
  }

  @Test
  void shouldLookEverMoreSeldomWhereItDoesNotHelp() throws IOException {
    for (int skipped = 1; skipped < 2 * SpinThenBlock.SKIPPED_MAX; skipped = 2 * skipped + 1) {
      assertTrue(looksOfOneWait() > 0);
      for (int i = 0; i < Math.min(skipped, SpinThenBlock.SKIPPED_MAX); i++) {
        assertEquals(0, looksOfOneWait());
      }
    }
    assertTrue(looksOfOneWait() > 0);
  }

  @Test
  void shouldResetBackoffAfterSuccessfulSpin() throws IOException {
    looksOfOneWait();
    looksOfOneWait();
    wire.readyAt = 0;
    assertEquals(1, looksOfOneWait());
    wire.readyAt = Integer.MAX_VALUE;
    assertEquals(10, looksOfOneWait());
    assertEquals(0, looksOfOneWait());
    assertEquals(10, looksOfOneWait());
  }

  @Test
  void shouldThrowOnClosedConnection() {
    wire.closed = true;
    assertThrows(IOException.class, spinThenBlock::await);
  }
}
