package org.nelumbo.dm.fabric.tcp;

import java.nio.ByteBuffer;

/**
 * A request to a memory node and its response. The owning thread fills it; the thread that reads
 * the connection completes it; {@link #done} orders the two.
 */
abstract class LinkRequest {
  /** Length of results that is unknown before the response. */
  static final int ANY_NUMBER = -1;

  /** The thread that waits for the response. */
  Thread waiter;

  /** Time of submission. */
  long sentNanos;

  /** Set last, after the response is stored or the failure is known. */
  volatile boolean done;

  Throwable failure;

  /** Resets the state before the next use. */
  final void beginAnew() {
    done = false;
    failure = null;
  }

  /** Returns the frame, ready to be written. */
  abstract ByteBuffer frame(long sequence);

  /** Undoes {@link #frame}, because the frame is written later. */
  abstract void unframe();

  /** Returns the bytes of all results, or {@link #ANY_NUMBER}. */
  abstract int resultBytes();

  /** Reads the results, which start at the buffer's position. */
  abstract void accept(ByteBuffer reply);
}
