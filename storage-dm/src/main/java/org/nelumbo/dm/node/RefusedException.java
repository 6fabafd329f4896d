package org.nelumbo.dm.node;

/** What a compute node has asked of a memory node is refused; the message says why. */
final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** One of the reasons of {@link org.nelumbo.dm.fabric.tcp.Wire}. */
  private final short reason;

  /** Who is served instead; empty if nobody in particular. */
  private final String owner;

  RefusedException(short reason, String message, String owner) {
    super(message);
    this.reason = reason;
    this.owner = owner;
  }

  short reason() {
    return reason;
  }

  String owner() {
    return owner;
  }
}
