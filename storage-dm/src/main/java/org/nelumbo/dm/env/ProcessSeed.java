package org.nelumbo.dm.env;

import java.security.SecureRandom;

/**
 * Seed of the hash functions of this process. It is secret, so values cannot be chosen to collide.
 * Only speed may depend on it, because a simulated run must be reproducible.
 */
public final class ProcessSeed {
  private static final long VALUE = new SecureRandom().nextLong();

  private ProcessSeed() {}

  public static long value() {
    return VALUE;
  }
}
