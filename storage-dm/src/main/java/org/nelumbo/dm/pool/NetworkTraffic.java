package org.nelumbo.dm.pool;

/**
 * Network traffic of a fabric since it was opened.
 *
 * @param frames batches of verbs that were sent, each to one memory node
 * @param bytesSent in all, framing included
 * @param bytesReceived in all, framing included
 */
public record NetworkTraffic(long frames, long bytesSent, long bytesReceived) {
  /** Traffic of a fabric without a network. */
  public static final NetworkTraffic NONE = new NetworkTraffic(0, 0, 0);
}
