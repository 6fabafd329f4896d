package org.nelumbo.dm.env;

import java.security.SecureRandom;

/**
 * Seed of the hash functions of this process: nobody outside knows it, so nobody can choose values
 * that collide. Nothing but speed may depend on it, for a simulated run has to come out alike.
 */
public final class ProcessSeed {
  private static final long VALUE = new SecureRandom().nextLong();

  private ProcessSeed() {}

  public static long value() {
    return VALUE;
  }
}
