package org.nelumbo.dm.pool;

/** A pool cannot be opened because a memory node serves somebody who lives. */
public final class PoolInUseException extends PoolOpenException {
  private static final long serialVersionUID = 1L;
  private final String owner;
  private final boolean own;
  private final boolean isShared;

  /** An exception of whoever asked in vain for a pool that others share. */
  public static PoolInUseException ofShared(String message, String owners) {
    return new PoolInUseException(message, owners, false, true);
  }

  /**
   * An exception of whoever asked in vain.
   *
   * @param owner who is served
   * @param own whether that is who asked: a connection from before has not been missed yet
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

  /** Who is served. */
  public String owner() {
    return owner;
  }

  /** Whether others share it, so that one more may enter beside them. */
  public boolean isShared() {
    return isShared;
  }

  /** Whether that is the very process that asked. */
  public boolean isOwn() {
    return own;
  }
}
