package org.nelumbo.dm.peer;

import java.nio.ByteBuffer;

/** What is told of the messages that arrive at a compute node. Neither method waits. */
public interface PeerListener {
  /**
   * A message is here.
   *
   * @param message is used for something else when this returns
   */
  void received(PeerId from, ByteBuffer message);

  /** A compute node cannot be reached just now: messages to it may be lost. */
  default void unreachable(PeerId peer) {}
}
