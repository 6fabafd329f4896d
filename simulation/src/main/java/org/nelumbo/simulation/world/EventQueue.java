package org.nelumbo.simulation.world;

import java.util.Arrays;

/** A binary heap of events, ordered by (virtual time, seeded tie-break). Not thread-safe. */
final class EventQueue {
  private static final int FIRST_CAPACITY = 256;

  private SimEvent[] heap = new SimEvent[FIRST_CAPACITY];
  private int size;

  SimEvent peek() {
    return size == 0 ? null : heap[0];
  }

  void add(SimEvent event) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (!before(event, heap[parent])) {
        break;
      }
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = event;
    event.queued = true;
  }

  SimEvent poll() {
    SimEvent first = heap[0];
    SimEvent last = heap[--size];
    heap[size] = null;
    if (size > 0) {
      sink(last);
    }
    first.queued = false;
    return first;
  }

  private void sink(SimEvent event) {
    int at = 0;
    int half = size >>> 1;
    while (at < half) {
      int child = 2 * at + 1;
      if (child + 1 < size && before(heap[child + 1], heap[child])) {
        child++;
      }
      if (!before(heap[child], event)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = event;
  }

  private static boolean before(SimEvent a, SimEvent b) {
    return a.time != b.time ? a.time < b.time : a.tieBreak < b.tieBreak;
  }
}
