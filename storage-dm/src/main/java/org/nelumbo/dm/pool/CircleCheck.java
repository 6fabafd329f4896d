package org.nelumbo.dm.pool;

/**
 * Notices that a chain of blocks leads in a circle, as a damaged one may: it remembers one block at
 * a time, each for twice as many steps as the one before (Brent), so a circle is walked a few
 * times. For one walk.
 */
public final class CircleCheck {
  private long remembered;
  private long steps;
  private long stepsMax = 1;

  /**
   * Notes a block of the chain.
   *
   * @return whether it was there before, so that the walk has no end
   */
  public boolean isCircle(long address) {
    if (address == remembered) {
      return true;
    }
    if (++steps == stepsMax) {
      remembered = address;
      steps = 0;
      stepsMax *= 2;
    }
    return false;
  }
}
