package org.nelumbo.dm.index;

/** The numbers of compute nodes in the latches that they hold. */
public final class LatchOwner {
  /** Wildcard in place of a failed owner: the owners of all latches have failed. */
  public static final int ANY = 0;

  private LatchOwner() {}

  /** Returns true if the owner of a held latch is the failed one. */
  public static boolean isDead(int owner, int deadOwner) {
    return deadOwner == ANY || owner == deadOwner;
  }
}
