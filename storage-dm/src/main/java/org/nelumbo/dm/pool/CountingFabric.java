package org.nelumbo.dm.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A fabric that counts the verbs of all channels of another one, by label. The counts of a run are
 * the difference of two {@link #snapshot}s; counters of running channels are never reset.
 */
public final class CountingFabric extends ForwardingFabric {
  /** Guards {@link #open} and {@link #ofClosed}. */
  private final ReentrantLock lock = new ReentrantLock();

  private final List<CountingChannel> open = new ArrayList<>();
  private final Map<String, FabricCounters> ofClosed = new TreeMap<>();

  public CountingFabric(Fabric fabric) {
    super(fabric);
  }

  @Override
  public CountingChannel openChannel(int stagingBytes) {
    CountingChannel channel =
        new CountingChannel(fabric.openChannel(stagingBytes), this::channelClosed);
    lock.lock();
    try {
      open.add(channel);
    } finally {
      lock.unlock();
    }
    return channel;
  }

  private void channelClosed(CountingChannel channel) {
    lock.lock();
    try {
      open.remove(channel);
      addTo(ofClosed, channel.byLabel());
    } finally {
      lock.unlock();
    }
  }

  /** Returns the counts by label, of all channels that were ever open; a copy. */
  public Map<String, FabricCounters> snapshot() {
    Map<String, FabricCounters> sums = new TreeMap<>();
    lock.lock();
    try {
      addTo(sums, ofClosed);
      for (CountingChannel channel : open) {
        addTo(sums, channel.byLabel());
      }
    } finally {
      lock.unlock();
    }
    return sums;
  }

  /**
   * Returns the counts between {@code earlier} and now, by label; labels without a verb are left
   * out.
   */
  public Map<String, FabricCounters> since(Map<String, FabricCounters> earlier) {
    Map<String, FabricCounters> result = new TreeMap<>();
    FabricCounters none = new FabricCounters();
    snapshot()
        .forEach(
            (label, counters) -> {
              FabricCounters difference = counters.since(earlier.getOrDefault(label, none));
              if (difference.verbs() != 0) {
                result.put(label, difference);
              }
            });
    return result;
  }

  private static void addTo(Map<String, FabricCounters> sums, Map<String, FabricCounters> more) {
    more.forEach(
        (label, counters) ->
            sums.computeIfAbsent(label, l -> new FabricCounters()).addAll(counters));
  }
}
