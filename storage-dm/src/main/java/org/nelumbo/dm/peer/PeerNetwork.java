package org.nelumbo.dm.peer;

import java.nio.ByteBuffer;

/**
 * A message network between this compute node and the others of its pool. Messages are bounded, and
 * may be lost, duplicated, delayed or reordered. A message for an incarnation that has ended is
 * never delivered to the next one. Thread-safe.
 */
public interface PeerNetwork extends AutoCloseable {
  /** Maximum length of a message, in bytes. */
  int MESSAGE_BYTES_MAX = 16 << 10;

  /** Returns the identity of this compute node. */
  PeerId self();

  /**
   * Sends a message without waiting; it is copied before this returns.
   *
   * @return false if the message is known not to arrive
   */
  boolean send(PeerId to, ByteBuffer message);

  /** Sets the listener that receives messages from now on; one for each compute node. */
  void listen(PeerListener listener);

  /** Closes the network: nothing is sent or delivered any more. */
  @Override
  void close();
}
