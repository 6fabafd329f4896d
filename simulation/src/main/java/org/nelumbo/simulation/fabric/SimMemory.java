package org.nelumbo.simulation.fabric;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A pool of memory for simulated memory nodes and staging buffers, which is reused: a run over many
 * seeds allocates it once. There is one for each thread that runs worlds.
 */
public final class SimMemory {
  private final Deque<MemoryPage> pages = new ArrayDeque<>();
  private final List<MemorySegment> stagings = new ArrayList<>();

  /** Takes a zeroed page. */
  MemoryPage takePage() {
    MemoryPage memoryPage = pages.poll();
    return memoryPage == null ? new MemoryPage() : memoryPage;
  }

  void give(MemoryPage memoryPage) {
    memoryPage.clear();
    pages.push(memoryPage);
  }

  /** Takes a zeroed staging buffer. */
  MemorySegment takeStaging(int bytes) {
    for (int i = stagings.size() - 1; i >= 0; i--) {
      if (stagings.get(i).byteSize() == bytes) {
        return stagings.remove(i).fill((byte) 0);
      }
    }
    return Arena.ofAuto().allocate(bytes, 64);
  }

  void give(MemorySegment staging) {
    stagings.add(staging);
  }
}
