package org.nelumbo.dm.pool;

/** A pool cannot be opened because a memory node serves somebody who lives. */
public final class PoolInUseException extends PoolOpenException {
  private static final long serialVersionUID = 1L;
  private final String owner;
  private final boolean own;

  /**
   * An exception of whoever asked in vain.
   *
   * @param owner who is served
   * @param own whether that is who asked: a connection from before has not been missed yet
   */
  public PoolInUseException(String message, String owner, boolean own) {
    super(message);
    this.owner = owner;
    this.own = own;
  }

  /** Who is served. */
  public String owner() {
    return owner;
  }

  /** Whether that is the very process that asked. */
  public boolean isOwn() {
    return own;
  }
}
