package org.nelumbo.dm.pool;

/** Thrown when a pool cannot be opened because a memory node serves another live process. */
public final class PoolInUseException extends PoolOpenException {
  private static final long serialVersionUID = 1L;
  private final String owner;
  private final boolean own;
  private final boolean isShared;

  /** Creates the exception for a pool that other compute nodes share. */
  public static PoolInUseException ofShared(String message, String owners) {
    return new PoolInUseException(message, owners, false, true);
  }

  /**
   * Creates the exception for an exclusive pool.
   *
   * @param owner name of the process that is served
   * @param own whether this is the very process that tried to open the pool: the loss of its
   *     earlier connection has not been detected yet
   */
  public PoolInUseException(String message, String owner, boolean own) {
    this(message, owner, own, false);
  }

  private PoolInUseException(String message, String owner, boolean own, boolean isShared) {
    super(message);
    this.owner = owner;
    this.own = own;
    this.isShared = isShared;
  }

  /** Returns the name of the process that is served. */
  public String owner() {
    return owner;
  }

  /** Returns true if other compute nodes share the pool, so that one more may join. */
  public boolean isShared() {
    return isShared;
  }

  /** Returns true if the owner is the very process that tried to open the pool. */
  public boolean isOwn() {
    return own;
  }
}
