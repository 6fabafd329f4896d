package org.nelumbo.dm.fabric.shm;

import java.nio.file.Path;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * A process that counts in a shared pool: it increments one word with atomic additions and another
 * one with compare-and-swap, and prints a line to standard output when it has begun. Arguments:
 * path, and number of rounds (0: until the process is killed).
 */
final class CountingProcess {
  static final long ADDED = PoolAddress.of(0, 8192);
  static final long SWAPPED = PoolAddress.of(0, 8192 + 64);
  static final long NODE_BYTES = 1 << 20;

  private CountingProcess() {}

  public static void main(String[] arguments) {
    Path path = Path.of(arguments[0]);
    long rounds = Long.parseLong(arguments[1]);
    try (Fabric fabric =
            SharedMemory.openShared(path, new SharedMemory.Wanted(NODE_BYTES, 1), NODE_BYTES);
        Channel channel = fabric.openChannel(64)) {
      System.out.println("begun");
      for (long i = 0; i < rounds || rounds == 0; i++) {
        channel.fetchAndAdd(ADDED, 1, 0);
        channel.flush();
        swap(channel);
      }
    }
  }

  private static void swap(Channel channel) {
    channel.read(SWAPPED, 0, 8);
    channel.flush();
    while (true) {
      long old = channel.staging().get(java.lang.foreign.ValueLayout.JAVA_LONG, 0);
      channel.compareAndSwap(SWAPPED, old, old + 1, 0);
      channel.flush();
      if (channel.staging().get(java.lang.foreign.ValueLayout.JAVA_LONG, 0) == old) {
        return;
      }
    }
  }
}
