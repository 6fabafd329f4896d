package org.nelumbo.dm.fabric.tcp;

import java.util.concurrent.atomic.LongAdder;
import org.nelumbo.dm.pool.NetworkTraffic;

/** Counts the frames and bytes of the connections of a fabric. Thread-safe. */
final class TrafficMeter {
  private final LongAdder frames = new LongAdder();
  private final LongAdder bytesSent = new LongAdder();
  private final LongAdder bytesReceived = new LongAdder();

  void countFrame() {
    frames.increment();
  }

  void countSent(int bytes) {
    bytesSent.add(bytes);
  }

  void countReceived(int bytes) {
    bytesReceived.add(bytes);
  }

  NetworkTraffic traffic() {
    return new NetworkTraffic(frames.sum(), bytesSent.sum(), bytesReceived.sum());
  }
}
