package org.nelumbo.executor.lock.remote;

/** Constants for the first byte of messages about locks. */
final class MessageKind {
  static final byte REQUEST = 1;
  static final byte REPLY = 2;
  static final byte ABORT_REQUEST = 3;
  static final byte ABORT_REPLY = 4;
  static final byte PROBE = 5;
  static final byte PROBED = 6;

  private MessageKind() {}
}
