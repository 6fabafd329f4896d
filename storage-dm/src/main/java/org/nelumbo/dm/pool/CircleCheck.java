package org.nelumbo.dm.pool;

/**
 * Detects a cycle in a chain of blocks, which a damaged chain may have. It remembers one block at a
 * time, each for twice as many steps as the one before (Brent's algorithm), so a cycle is walked a
 * few times at most. For one walk.
 */
public final class CircleCheck {
  private long remembered;
  private long steps;
  private long stepsMax = 1;

  /**
   * Notes a block of the chain.
   *
   * @return true if the block was visited before, so that the walk would never end
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
