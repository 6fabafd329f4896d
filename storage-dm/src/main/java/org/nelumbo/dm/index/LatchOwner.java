package org.nelumbo.dm.index;

/** Numbers by which latches in the pool name the compute nodes that have taken them. */
public final class LatchOwner {
  /** In the place of a dead owner: whoever has a latch is dead. */
  public static final int ANY = 0;

  private LatchOwner() {}

  /** Whether the owner of a latch that is held is the dead one. */
  public static boolean isDead(int owner, int deadOwner) {
    return deadOwner == ANY || owner == deadOwner;
  }
}
