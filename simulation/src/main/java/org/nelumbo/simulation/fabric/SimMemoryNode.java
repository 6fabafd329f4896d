package org.nelumbo.simulation.fabric;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.pool.WindowDigest;

/** A memory node: its bytes, and its network card. */
final class SimMemoryNode {
  private final int id;
  private final long bytes;
  private final SimMemory memory;
  private final MemoryPage[] pages;

  /**
   * Digest with a cached key: the key takes longer to compute than a digest, and many windows use
   * one key.
   */
  private final WindowDigest windowDigest = new WindowDigest();

  private final Card card;
  private boolean stopped;
  private boolean hasLeft;
  private long epoch;
  private long heard;

  SimMemoryNode(int id, long bytes, SimMemory memory, Card card) {
    this.id = id;
    this.card = card;
    this.bytes = bytes;
    this.memory = memory;
    this.pages =
        new MemoryPage[Math.toIntExact((bytes + MemoryPage.BYTES - 1) >>> MemoryPage.SHIFT)];
  }

  int id() {
    return id;
  }

  long bytes() {
    return bytes;
  }

  boolean isStopped() {
    return stopped;
  }

  /** Stops the node: no verb takes effect any more. */
  void stop() {
    stopped = true;
  }

  /** Restarts the node with its memory. */
  void comeBack() {
    stopped = false;
  }

  /**
   * Serves attachments of this epoch and fences earlier ones; returns false if it serves a later
   * one.
   */
  boolean serve(long newest) {
    if (newest < epoch) {
      return false;
    }
    epoch = newest;
    return true;
  }

  /** Returns true if it serves attachments of this epoch. */
  boolean serves(long of) {
    return !stopped && of >= epoch;
  }

  /** Records a verb from the compute node that is served. */
  void heard(long now) {
    heard = now;
  }

  /** Returns the virtual time of the last verb from the compute node that is served. */
  long heard() {
    return heard;
  }

  Card card() {
    return card;
  }

  private MemoryPage page(long offset) {
    int index = (int) (offset >>> MemoryPage.SHIFT);
    MemoryPage memoryPage = pages[index];
    if (memoryPage == null) {
      memoryPage = memory.takePage();
      pages[index] = memoryPage;
    }
    return memoryPage;
  }

  /** Copies bytes from the node. */
  void read(long offset, MemorySegment to, long at, int length) {
    for (int done = 0; done < length; ) {
      int inPage = (int) (offset + done) & MemoryPage.BYTES - 1;
      int piece = Math.min(length - done, MemoryPage.BYTES - inPage);
      MemorySegment.copy(page(offset + done).segment, inPage, to, at + done, piece);
      done += piece;
    }
  }

  /** Writes the digest of a window that was read here. */
  void digest(
      long keyFirst, long keySecond, MemorySegment window, int length, MemorySegment to, long at) {
    windowDigest.put(keyFirst, keySecond, window, 0, length, to, at);
  }

  /** Copies bytes to the node. */
  void write(long offset, MemorySegment from, long at, int length) {
    for (int done = 0; done < length; ) {
      int inPage = (int) (offset + done) & MemoryPage.BYTES - 1;
      int piece = Math.min(length - done, MemoryPage.BYTES - inPage);
      MemorySegment.copy(from, at + done, page(offset + done).segment, inPage, piece);
      done += piece;
    }
  }

  /** Returns the aligned word at an offset. */
  long word(long offset) {
    return page(offset).words[((int) offset & MemoryPage.BYTES - 1) >>> 3];
  }

  void setWord(long offset, long value) {
    page(offset).words[((int) offset & MemoryPage.BYTES - 1) >>> 3] = value;
  }

  /**
   * Adds to a word. An add to the left-memory word clears the memory left by an earlier process.
   */
  void add(long offset, long old, long delta) {
    if (hasLeft && offset == NodeHeaderLayout.LEFT_OFFSET) {
      int rest = MemoryPage.BYTES - NodeHeaderLayout.LENGTH;
      page(0).segment.asSlice(NodeHeaderLayout.LENGTH, rest).fill((byte) 0);
      for (int index = 1; index < pages.length; index++) {
        clear(index);
      }
      setWord(offset, NodeHeaderLayout.LENGTH);
    } else {
      setWord(offset, old + delta);
    }
  }

  private void clear(int index) {
    if (pages[index] != null) {
      memory.give(pages[index]);
      pages[index] = null;
    }
  }

  /** Takes over the memory of another node, which is not used any more. */
  void inherit(SimMemoryNode before) {
    hasLeft = true;
    System.arraycopy(before.pages, 0, pages, 0, pages.length);
    Arrays.fill(before.pages, null);
  }

  void release() {
    for (int i = 0; i < pages.length; i++) {
      clear(i);
    }
  }
}
