package org.nelumbo.dm.node;

/** A peer broke the protocol, or asked for what it must not; its connection is closed. */
final class ProtocolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProtocolException(String message) {
    super(message);
  }
}
