package org.nelumbo.simulation.world;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Memory of direct buffers. By default the JVM limits it to the maximum heap size. When the limit
 * is reached, an allocating thread sleeps in real time, with a lock held, until garbage has been
 * collected. A simulated thread must not sleep there: it may be stopped in that state and then
 * keeps the lock. Enough direct memory must therefore be free before a world starts.
 */
final class DirectMemory {
  /**
   * Garbage is collected above this fraction of the limit (one half); one world uses less than the
   * rest.
   */
  private static final int SHARE = 2;

  private static final int TRIES = 50;
  private static final long TRY_MILLIS = 10;

  private static final List<BufferPoolMXBean> POOLS =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(each -> each.getName().equals("direct"))
          .toList();

  private DirectMemory() {}

  /**
   * Collects the garbage of earlier worlds if it takes much of the direct memory. Called by the
   * carrier.
   */
  static void makeRoom() {
    if (isScarce()) {
      System.gc();
      for (int i = 0; i < TRIES && isScarce(); i++) {
        try {
          TimeUnit.MILLISECONDS.sleep(TRY_MILLIS); // threads of the JVM release it
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  private static boolean isScarce() {
    long limit = Runtime.getRuntime().maxMemory() / SHARE;
    return POOLS.stream().anyMatch(each -> each.getMemoryUsed() > limit);
  }
}
