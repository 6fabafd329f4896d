package org.nelumbo.executor.version;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The plan of a write to a CVT: which cell it goes to, and what becomes of the version there.
 * Decided from a copy of the CVT read under the key's write lock, so that it holds until the
 * commit.
 */
public final class VersionSlotPlan {
  /**
   * Larger than any version: the cell's old version is needed until the new one is committed and
   * every snapshot before it has ended.
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

  /** Whether a cell that is not to be overwritten has its record in the inline slot. */
  private boolean inlineSlotTaken;

  /**
   * Set at commit: the new record, its word 0, and the overflow block that takes the old version
   * (0: none).
   */
  private long newWord0;

  private long overflowBlock;

  /** A CVT that was just made, in a block of that class: all cells are free. */
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
    clearResult();
  }

  /** Becomes a copy of {@code other}. */
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
    clearResult();
  }

  /** Forgets the new record and overflow block. */
  public void clearResult() {
    newWord0 = 0;
    overflowBlock = 0;
  }

  /**
   * Chooses the first free cell, else the one with the oldest version. A cell that a dead compute
   * node has left half-written is free; what it points to is left alone.
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
    clearResult();
  }

  public int cell() {
    return cell;
  }

  /** Commit timestamp of the version that the new one replaces, 0 if there is none. */
  public long predecessor() {
    return predecessor;
  }

  /** Address of the newest overflow block before this write. */
  public long overflow() {
    return overflow;
  }

  /** The oldest version of the CVT before this write; the largest long if there is none. */
  public long oldestVersion() {
    return oldestVersion;
  }

  public long oldWord0() {
    return oldWord0;
  }

  public long oldWord1() {
    return oldWord1;
  }

  /** Whether the cell holds a version that some snapshot not before {@code horizon} may need. */
  public boolean evicts(long horizon) {
    return CellLayout.isValid(oldWord0) && successor > horizon;
  }

  /**
   * Whether no snapshot can need a version in the overflow chain: they are all older than the
   * oldest cell.
   */
  public boolean overflowIsDead(long horizon) {
    return overflow != 0 && oldestVersion <= horizon;
  }

  /** Address of the newest overflow block after this write, once blocks are allocated. */
  public long newOverflow(long horizon) {
    return overflowBlock != 0 ? overflowBlock : overflowIsDead(horizon) ? 0 : overflow;
  }

  /**
   * Whether the cell's old record has a block that can be freed once the new version is visible.
   */
  public boolean freesOldRecord() {
    return CellLayout.hasOwnBlock(oldWord0) && overflowBlock == 0;
  }

  /** Size class of the block of the CVT and its inline slot. */
  public int blockClass() {
    return blockClass;
  }

  /**
   * Where a record of that size class can lie beside the CVT; NULL if there is no room, or a
   * version that a snapshot not before {@code horizon} may need. What no snapshot needs can be
   * overwritten before the new version is visible: readers have passed by it, and whoever undoes
   * the new version does not bring it back. A chain of older versions is dead then, too, unless the
   * cell was left by a dead compute node: the version that it has replaced is in the chain.
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
   * Sets the new record: the cell's next CV is counted on from the old one, so that a torn copy
   * shows.
   */
  public void setRecord(long address, int sizeClass, boolean deleted) {
    int cv = CellLayout.nextCv(CellLayout.headCv(oldWord0));
    newWord0 = CellLayout.word0(cv, sizeClass, deleted, address);
  }

  /** Whether the new word 0 is set, and counts the CV of the cell's old version on. */
  public boolean continuesOldCell() {
    return newWord0 != 0
        && CellLayout.headCv(newWord0) == CellLayout.nextCv(CellLayout.headCv(oldWord0));
  }

  public long newWord0() {
    return newWord0;
  }

  /** Word 1 of the new version, as INVISIBLE or with its commit timestamp. */
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
