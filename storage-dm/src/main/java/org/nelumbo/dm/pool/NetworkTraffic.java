package org.nelumbo.dm.pool;

/**
 * What a fabric has sent over a network since it was opened.
 *
 * @param frames batches of verbs that were sent, each to one memory node
 * @param bytesSent in all, framing included
 * @param bytesReceived in all, framing included
 */
public record NetworkTraffic(long frames, long bytesSent, long bytesReceived) {
  /** Of a fabric without a network. */
  public static final NetworkTraffic NONE = new NetworkTraffic(0, 0, 0);
}
