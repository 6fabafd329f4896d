package org.nelumbo.dm.pool;

/**
 * A flush failed: the node is gone or has revoked our access. Nothing may be assumed about the
 * verbs of that flush.
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
   * A failure of a memory node.
   *
   * @param isRevoked whether the node has taken away our access, and said so
   */
  public FabricException(int node, String message, Throwable cause, boolean isRevoked) {
    super(message + " node=" + node, cause);
    this.node = node;
    this.isRevoked = isRevoked || isRevoked(cause);
  }

  private static boolean isRevoked(Throwable cause) {
    return cause instanceof FabricException known && known.isRevoked;
  }

  /** A failure of this process, by which the pool is lost to it. */
  public FabricException(String message, Throwable cause) {
    super(message, cause);
    this.node = NO_NODE;
    this.isRevoked = isRevoked(cause);
  }

  /**
   * Whether a memory node has said that it serves us no more: others took this compute node for
   * dead. If not, the connection may be lost, or the node.
   */
  public boolean isRevoked() {
    return isRevoked;
  }

  /** The memory node that failed; -1 if this process did. */
  public int node() {
    return node;
  }
}
