package org.nelumbo.dm.pool;

/**
 * A flush failed: the node is gone or has revoked our access. Nothing may be assumed about the
 * verbs of that flush.
 */
public final class FabricException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final int node;

  public FabricException(int node, String message, Throwable cause) {
    super(message + " node=" + node, cause);
    this.node = node;
  }

  /** The memory node that failed. */
  public int node() {
    return node;
  }
}
