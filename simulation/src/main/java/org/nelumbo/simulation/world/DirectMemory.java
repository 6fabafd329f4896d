package org.nelumbo.simulation.world;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Memory of direct buffers, of which the JVM has as much as it may have heap, unless told
 * otherwise. When there is none left, who asks for some sleeps in real time, with a lock held,
 * until garbage has been collected. A simulated thread must not: it may be stopped then, and keeps
 * the lock. So there has to be enough before a world begins.
 */
final class DirectMemory {
  /** One world uses less than the rest. */
  private static final int SHARE = 2;

  private static final int TRIES = 50;
  private static final long TRY_MILLIS = 10;

  private static final List<BufferPoolMXBean> POOLS =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
          .filter(each -> each.getName().equals("direct"))
          .toList();

  private DirectMemory() {}

  /** Has what earlier worlds have left collected, if it is much. Called by the carrier. */
  static void makeRoom() {
    if (isScarce()) {
      System.gc();
      for (int i = 0; i < TRIES && isScarce(); i++) {
        try {
          TimeUnit.MILLISECONDS.sleep(TRY_MILLIS); // threads of the JVM give it back
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
