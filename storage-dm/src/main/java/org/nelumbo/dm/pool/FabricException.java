package org.nelumbo.dm.pool;

/**
 * A flush failed: the node is gone or has revoked our access. Nothing may be assumed about the
 * verbs of that flush.
 */
public final class FabricException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int NO_NODE = -1;
  private final int node;

  public FabricException(int node, String message, Throwable cause) {
    super(message + " node=" + node, cause);
    this.node = node;
  }

  /** A failure of this process, by which the pool is lost to it. */
  public FabricException(String message, Throwable cause) {
    super(message, cause);
    this.node = NO_NODE;
  }

  /** The memory node that failed; -1 if this process did. */
  public int node() {
    return node;
  }
}
