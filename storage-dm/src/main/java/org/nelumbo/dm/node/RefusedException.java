package org.nelumbo.dm.node;

/** Thrown if a memory node refuses a request of a compute node; the message contains the reason. */
final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** One of the reasons in {@link org.nelumbo.dm.fabric.tcp.Wire}. */
  private final short reason;

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
