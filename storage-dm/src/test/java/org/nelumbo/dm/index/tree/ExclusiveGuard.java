package org.nelumbo.dm.index.tree;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.nelumbo.dm.index.LeafGuard;

/**
 * A guard by which one thread at a time changes a leaf, so that no latch is acquired by CAS. Does
 * not know scanners. Thread-safe.
 */
final class ExclusiveGuard implements LeafGuard {
  private final Map<Long, Thread> holders = new ConcurrentHashMap<>();

  /** Forgets all holders, which have failed. */
  void clear() {
    holders.clear();
  }

  boolean isEmpty() {
    return holders.isEmpty();
  }

  @Override
  public boolean excludesChanges() {
    return true;
  }

  @Override
  public boolean enterScan(long leafAddress) {
    return true;
  }

  @Override
  public boolean enterChange(long leafAddress) {
    while (!tryEnterChange(leafAddress)) {
      Thread.onSpinWait();
    }
    return true;
  }

  @Override
  public boolean tryEnterChange(long leafAddress) {
    return holders.putIfAbsent(leafAddress, Thread.currentThread()) == null;
  }

  @Override
  public void exitChange(long leafAddress) {
    assertTrue(holders.remove(leafAddress, Thread.currentThread()), "left without having entered");
  }

  @Override
  public boolean enterInsert(long leafAddress) {
    return enterChange(leafAddress);
  }

  @Override
  public void exitInsert(long leafAddress) {
    exitChange(leafAddress);
  }

  @Override
  public boolean tryEnterInsert(long leafAddress) {
    return tryEnterChange(leafAddress);
  }

  @Override
  public void exitTriedInsert(long leafAddress) {
    exitChange(leafAddress);
  }

  @Override
  public boolean tryPassRange(long from, long to) {
    return true;
  }
}
