package org.nelumbo.dm.node;

/**
 * Thrown if a peer breaks the protocol, or asks for something it must not; its connection is
 * closed. Has no stack trace, which would cost more than all else that a bad frame costs.
 */
final class ProtocolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProtocolException(String message) {
    super(message, null, false, false);
  }
}
