package org.nelumbo.dm.pool;

/**
 * Network traffic of a fabric since it was opened.
 *
 * @param frames number of batches of verbs that were sent, each to one memory node
 * @param bytesSent bytes sent, framing included
 * @param bytesReceived bytes received, framing included
 */
public record NetworkTraffic(long frames, long bytesSent, long bytesReceived) {
  /** Traffic of a fabric without a network. */
  public static final NetworkTraffic NONE = new NetworkTraffic(0, 0, 0);
}
