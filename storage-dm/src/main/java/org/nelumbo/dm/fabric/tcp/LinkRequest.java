package org.nelumbo.dm.fabric.tcp;

import java.nio.ByteBuffer;

/**
 * A frame on its way to a memory node, and its answer. Its thread fills it; whoever reads the
 * connection completes it; {@link #done} orders the two.
 */
abstract class LinkRequest {
  /** Of results, as many as come. */
  static final int ANY_NUMBER = -1;

  /** The thread that waits for it. */
  Thread waiter;

  /** When it was submitted. */
  long sentNanos;

  /** Set last, when the answer has been taken or the failure is known. */
  volatile boolean done;

  Throwable failure;

  /** It is used again. */
  final void beginAnew() {
    done = false;
    failure = null;
  }

  /** The frame, ready to be written. */
  abstract ByteBuffer frame(long sequence);

  /** Takes the framing back: the frame is written later. */
  abstract void unframe();

  /** Bytes of all results, or {@link #ANY_NUMBER}. */
  abstract int resultBytes();

  /** Takes the results, which are at the buffer's position. */
  abstract void accept(ByteBuffer answer);
}
