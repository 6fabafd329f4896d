package org.nelumbo.dm.pool;

/**
 * Thrown when a flush fails: the node has failed, or has revoked the access of this compute node.
 * The effect of the verbs of that flush is unknown.
 */
public final class FabricException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int NO_NODE = -1;
  private final int node;
  private final boolean isRevoked;

  public FabricException(int node, String message, Throwable cause) {
    this(node, message, cause, false);
  }

  /**
   * Creates the exception for a failure of a memory node.
   *
   * @param isRevoked whether the node reported that it has revoked our access
   */
  public FabricException(int node, String message, Throwable cause, boolean isRevoked) {
    super(message + " node=" + node, cause);
    this.node = node;
    this.isRevoked = isRevoked || isRevoked(cause);
  }

  private static boolean isRevoked(Throwable cause) {
    return cause instanceof FabricException known && known.isRevoked;
  }

  /** Creates the exception for a failure of this process that loses the pool to it. */
  public FabricException(String message, Throwable cause) {
    super(message, cause);
    this.node = NO_NODE;
    this.isRevoked = isRevoked(cause);
  }

  /**
   * Returns true if a memory node reported that this compute node is fenced, because others
   * considered it failed. If false, the connection may be lost, or the node.
   */
  public boolean isRevoked() {
    return isRevoked;
  }

  /** Returns the memory node that failed; -1 if this process did. */
  public int node() {
    return node;
  }
}
