package org.nelumbo.dm.peer;

import java.nio.ByteBuffer;

/** Receives the messages that arrive at a compute node. Neither method blocks. */
public interface PeerListener {
  /**
   * Handles a message.
   *
   * @param message buffer that is reused when this returns
   */
  void received(PeerId from, ByteBuffer message);

  /** Handles the temporary loss of a compute node: messages to it may be lost. */
  default void unreachable(PeerId peer) {}
}
