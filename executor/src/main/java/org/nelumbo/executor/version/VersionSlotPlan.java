package org.nelumbo.executor.version;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The plan of a write to a CVT: the cell that is written, and the treatment of the version in it.
 * The plan is made from a copy of the CVT that was read under the key's write lock, so it holds
 * until the commit.
 */
public final class VersionSlotPlan {
  /**
   * Larger than any version: the cell's old version is needed until the new one is committed and
   * every earlier snapshot has ended.
   */
  private static final long NEVER = Long.MAX_VALUE;

  private int cell;
  private long oldWord0;
  private long oldWord1;
  private long oldestVersion;
  private long successor;
  private long predecessor;
  private long overflow;
  private int blockClass;

  /** True if a cell that is not overwritten has its record in the inline slot. */
  private boolean inlineSlotTaken;

  /**
   * True if the content of the cells behind the written one is known and stays: it is free, or that
   * of the last cell, whose words follow.
   */
  private boolean isRestKnown;

  private long lastWord0;
  private long lastWord1;

  /**
   * Word 0 of the new version; set at commit, together with the overflow block that receives the
   * old version (0: none).
   */
  private long newWord0;

  private long overflowBlock;

  /** Plans the first write to a new CVT, in a block of the given class; all its cells are free. */
  public void planFresh(int newBlockClass) {
    cell = 0;
    oldWord0 = 0;
    oldWord1 = 0;
    oldestVersion = NEVER;
    successor = 0;
    predecessor = 0;
    overflow = 0;
    blockClass = newBlockClass;
    inlineSlotTaken = false;
    isRestKnown = true;
    lastWord0 = 0;
    lastWord1 = 0;
    clearResult();
  }

  /** Copies {@code other} into this plan, without its new record and overflow block. */
  public void copyFrom(VersionSlotPlan other) {
    cell = other.cell;
    oldWord0 = other.oldWord0;
    oldWord1 = other.oldWord1;
    oldestVersion = other.oldestVersion;
    successor = other.successor;
    predecessor = other.predecessor;
    overflow = other.overflow;
    blockClass = other.blockClass;
    inlineSlotTaken = other.inlineSlotTaken;
    isRestKnown = other.isRestKnown;
    lastWord0 = other.lastWord0;
    lastWord1 = other.lastWord1;
    clearResult();
  }

  /** Clears the new record and overflow block. */
  public void clearResult() {
    newWord0 = 0;
    overflowBlock = 0;
  }

  /**
   * Chooses the first free cell, else the cell with the oldest version. A cell that a failed
   * compute node has left half-written counts as free; the memory that it points to is not freed.
   */
  void planFrom(MemorySegment staging, long cvt, int cells) {
    long oldest = NEVER;
    long second = NEVER;
    long newest = 0;
    int target = -1;
    int inAnnex = -1;
    boolean free = false;
    for (int each = 0; each < cells; each++) {
      long word0 = CvtLayout.word0(staging, cvt, each);
      boolean unsettled = VisibilityRules.isUnsettled(word0, CvtLayout.word1(staging, cvt, each));
      if (unsettled || !CellLayout.isValid(word0)) {
        if (!free) {
          target = each;
          free = true;
        }
        continue;
      }
      long version = CellLayout.version(CvtLayout.word1(staging, cvt, each));
      newest = Math.max(newest, version);
      inAnnex = CvtLayout.isInline(CellLayout.address(word0)) ? each : inAnnex;
      if (version < oldest) {
        second = oldest;
        oldest = version;
        target = free ? target : each;
      } else if (version < second) {
        second = version;
      }
    }
    cell = target;
    oldWord0 = CvtLayout.word0(staging, cvt, target);
    oldWord1 = CvtLayout.word1(staging, cvt, target);
    if (VisibilityRules.isUnsettled(oldWord0, oldWord1)) {
      oldWord0 = CellLayout.free(CellLayout.headCv(oldWord0));
    }
    oldestVersion = oldest;
    successor = second;
    predecessor = newest;
    overflow = CvtLayout.overflow(staging, cvt);
    blockClass = CvtLayout.blockClass(staging, cvt);
    inlineSlotTaken = inAnnex >= 0 && inAnnex != target;
    lastWord0 = CvtLayout.word0(staging, cvt, cells - 1);
    lastWord1 = CvtLayout.word1(staging, cvt, cells - 1);
    isRestKnown =
        target == cells - 1
            || target == cells - 2 && !VisibilityRules.isUnsettled(lastWord0, lastWord1);
    clearResult();
  }

  public int cell() {
    return cell;
  }

  /** Returns the commit timestamp of the version that the new one replaces; 0 if there is none. */
  public long predecessor() {
    return predecessor;
  }

  /** Returns the address of the newest overflow block before this write. */
  public long overflow() {
    return overflow;
  }

  /**
   * Returns the oldest version of the CVT before this write; {@code Long.MAX_VALUE} if there is
   * none.
   */
  public long oldestVersion() {
    return oldestVersion;
  }

  public long oldWord0() {
    return oldWord0;
  }

  public long oldWord1() {
    return oldWord1;
  }

  /**
   * Returns true if the cell holds a version that a snapshot at or after {@code horizon} may need.
   */
  public boolean evicts(long horizon) {
    return CellLayout.isValid(oldWord0) && successor > horizon;
  }

  /**
   * Returns true if no snapshot can need a version in the overflow chain, since all of them are
   * older than the oldest cell.
   */
  public boolean overflowIsDead(long horizon) {
    return overflow != 0 && oldestVersion <= horizon;
  }

  /**
   * Returns the address of the newest overflow block after this write. Called after blocks are
   * allocated.
   */
  public long newOverflow(long horizon) {
    return overflowBlock != 0 ? overflowBlock : overflowIsDead(horizon) ? 0 : overflow;
  }

  /**
   * Returns true if the cell's old record has its own block that can be freed once the new version
   * is visible.
   */
  public boolean freesOldRecord() {
    return CellLayout.hasOwnBlock(oldWord0) && overflowBlock == 0;
  }

  /** Returns the size class of the block that contains the CVT and its inline slot. */
  public int blockClass() {
    return blockClass;
  }

  /**
   * Returns the address of the inline slot if a record of that size class can be written there.
   * Returns NULL if the slot is too small, or holds a version that a snapshot at or after {@code
   * horizon} may need.
   *
   * <p>A version that no snapshot needs can be overwritten before the new version is visible:
   * readers have moved past it, and an undo of the new version does not restore it. The overflow
   * chain is dead then, too, unless the cell was left by a failed compute node: the version that
   * the cell replaced is then in the chain.
   */
  public long inlineSlot(long cvt, int cells, int sizeClass, long horizon) {
    return !inlineSlotTaken
            && !evicts(horizon)
            && (overflow == 0 || overflowIsDead(horizon))
            && SizeClass.bytes(sizeClass) <= CvtLayout.inlineSlotBytes(cells, blockClass)
        ? CvtLayout.inlineSlot(cvt, cells)
        : PoolAddress.NULL;
  }

  /**
   * Returns true if the new version can be written with one verb: its record is in the inline slot,
   * and at most one cell, of known content, is between the written cell and the slot.
   *
   * @param cells cells of the CVT
   */
  public boolean isOneWrite(int cells) {
    return isRestKnown && cell >= cells - 2 && CvtLayout.isInline(CellLayout.address(newWord0));
  }

  /** Returns word 0 of the last cell, if it is not the one that is written. */
  public long lastWord0() {
    return lastWord0;
  }

  public long lastWord1() {
    return lastWord1;
  }

  /**
   * Sets the new record. The CV of the new cell is the successor of the old cell's CV, which
   * exposes torn copies.
   */
  public void setRecord(long address, int sizeClass, boolean deleted) {
    int cv = CellLayout.nextCv(CellLayout.headCv(oldWord0));
    newWord0 = CellLayout.word0(cv, sizeClass, deleted, address);
  }

  /** Returns true if the new word 0 is set and its CV is the successor of the old cell's CV. */
  public boolean continuesOldCell() {
    return newWord0 != 0
        && CellLayout.headCv(newWord0) == CellLayout.nextCv(CellLayout.headCv(oldWord0));
  }

  public long newWord0() {
    return newWord0;
  }

  /** Returns word 1 of the new version, with INVISIBLE or its commit timestamp. */
  public long newWord1(long version) {
    return CellLayout.word1(version, CellLayout.headCv(newWord0));
  }

  public void setOverflowBlock(long address) {
    overflowBlock = address;
  }

  public long overflowBlock() {
    return overflowBlock;
  }
}
