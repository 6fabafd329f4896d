package org.nelumbo.dm.peer;

import java.nio.ByteBuffer;

/**
 * Network of a compute node to the others of its pool. Messages are bounded, and may be lost,
 * doubled, late, and in another order than they were sent. One that is for an incarnation that has
 * ended is never delivered to the next one. Thread-safe.
 */
public interface PeerNetwork extends AutoCloseable {
  /** Longest message, in bytes. */
  int MESSAGE_BYTES_MAX = 16 << 10;

  /** The compute node whose network this is. */
  PeerId self();

  /**
   * Sends a message, and does not wait; it is copied before this returns.
   *
   * @return false if it is known that it will not arrive
   */
  boolean send(PeerId to, ByteBuffer message);

  /** Who gets the messages from now on; one listener for each compute node. */
  void listen(PeerListener listener);

  /** Nothing is sent or delivered any more. */
  @Override
  void close();
}
