package org.nelumbo.dm.node;

/**
 * Thrown if a peer violates the protocol, or sends a request that it must not send; its connection
 * is closed. Has no stack trace, which would cost more than all other handling of an invalid frame.
 */
final class ProtocolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ProtocolException(String message) {
    super(message, null, false, false);
  }
}
