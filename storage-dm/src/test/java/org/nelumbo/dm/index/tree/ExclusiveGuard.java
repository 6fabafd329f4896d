package org.nelumbo.dm.index.tree;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.nelumbo.dm.index.LeafGuard;

/**
 * A guard by which one thread at a time changes a leaf, so that no latch is acquired by CAS. Keeps
 * the images of all leaves; for one compute node. Does not know scanners. Thread-safe.
 */
final class ExclusiveGuard implements LeafGuard {
  private final Map<Long, Thread> holders = new ConcurrentHashMap<>();
  private final Map<Long, Image> images = new ConcurrentHashMap<>();

  private record Image(Object index, byte[] bytes) {}

  /** Forgets all holders, which have failed, and the images. */
  void clear() {
    holders.clear();
    images.clear();
  }

  boolean isEmpty() {
    return holders.isEmpty();
  }

  @Override
  public byte[] takeImage(Object index, long leafAddress) {
    assertSame(Thread.currentThread(), holders.get(leafAddress));
    Image image = images.remove(leafAddress);
    return image == null || image.index != index ? null : image.bytes;
  }

  @Override
  public boolean keepsImage(long leafAddress) {
    return true;
  }

  @Override
  public void keepImage(Object index, long leafAddress, byte[] bytes) {
    assertSame(Thread.currentThread(), holders.get(leafAddress));
    images.put(leafAddress, new Image(index, bytes));
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
