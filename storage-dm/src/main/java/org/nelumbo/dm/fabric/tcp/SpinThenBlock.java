package org.nelumbo.dm.fabric.tcp;

import java.io.IOException;
import java.io.InputStream;
import org.nelumbo.dm.env.Environment;

/**
 * Spins for bytes on a connection for a short time, then blocks in a read. To be woken takes longer
 * than a round trip on a fast network. Between two looks other threads may go first, so looking
 * costs time of a processor only where nobody else wants it. Where it does not help, because the
 * other side is slow or far, it is tried ever less often.
 *
 * <p>For one thread at a time.
 */
public final class SpinThenBlock {
  static final long LIMIT_NANOS = 200_000;
  static final int SKIPPED_MAX = 255;

  private final Environment environment;
  private final InputStream wire;
  private final InputStream spoken;

  /** Number of waits that go by without spinning, and how many of them are left. */
  private int skipping;

  private int skipsLeft;

  /**
   * @param wire what the connection runs over
   * @param spoken what is read from: the wire itself, or its decrypted form
   */
  public SpinThenBlock(Environment environment, InputStream wire, InputStream spoken) {
    this.environment = environment;
    this.wire = wire;
    this.spoken = spoken;
  }

  /** Returns when there is something to read, or when it is time to sleep until there is. */
  public void await() throws IOException {
    if (skipsLeft > 0) {
      skipsLeft--;
      return;
    }
    long start = environment.nanoTime();
    do {
      if (wire.available() > 0 || spoken != wire && spoken.available() > 0) {
        skipping = 0;
        return;
      }
      environment.stepAside();
    } while (environment.nanoTime() - start < LIMIT_NANOS);
    skipping = Math.min(2 * skipping + 1, SKIPPED_MAX);
    skipsLeft = skipping;
  }
}
