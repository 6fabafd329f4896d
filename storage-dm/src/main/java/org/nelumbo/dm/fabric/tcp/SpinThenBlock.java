package org.nelumbo.dm.fabric.tcp;

import java.io.IOException;
import java.io.InputStream;
import org.nelumbo.dm.env.Environment;

/**
 * Spins for bytes on a connection for a short time before the caller blocks in a read, because
 * waking a thread takes longer than a round trip on a fast network. Between two checks other
 * threads may run, so spinning costs processor time only if no other thread needs it. If spinning
 * does not help, because the other side is slow or far, it becomes ever less frequent.
 *
 * <p>For one thread at a time.
 */
public final class SpinThenBlock {
  static final long LIMIT_NANOS = 200_000;
  static final int SKIPPED_MAX = 255;

  private final Environment environment;
  private final InputStream wire;
  private final InputStream spoken;

  /** Number of waits without spinning after a failed attempt, and how many of them remain. */
  private int skipping;

  private int skipsLeft;

  /**
   * Creates an instance for a connection.
   *
   * @param wire stream of the underlying connection
   * @param spoken stream that is read: the wire itself, or its decrypted form
   */
  public SpinThenBlock(Environment environment, InputStream wire, InputStream spoken) {
    this.environment = environment;
    this.wire = wire;
    this.spoken = spoken;
  }

  /** Returns when bytes are available, or when the caller should block. */
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
