package org.nelumbo.dm.alloc;

import java.util.Arrays;

/** Memory that others may still be reading, in the order in which it was retired. Not thread-safe. */
final class RetireQueue {
  private long[] addresses = new long[64];
  private long[] timestamps = new long[64];
  private byte[] classes = new byte[64];
  private int head;
  private int size;

  int size() {
    return size;
  }

  void add(long address, int sizeClass, long timestamp) {
    if (size == addresses.length) {
      grow();
    }
    int at = (head + size++) & (addresses.length - 1);
    addresses[at] = address;
    timestamps[at] = timestamp;
    classes[at] = (byte) sizeClass;
  }

  /** Timestamp of the oldest; the queue must not be empty. */
  long timestamp() {
    return timestamps[head];
  }

  long address() {
    return addresses[head];
  }

  int sizeClass() {
    return classes[head];
  }

  void pop() {
    head = (head + 1) & (addresses.length - 1);
    size--;
  }

  private void grow() {
    int capacity = addresses.length;
    int first = capacity - head;
    addresses = rotate(addresses, first);
    timestamps = rotate(timestamps, first);
    byte[] grown = new byte[capacity * 2];
    System.arraycopy(classes, head, grown, 0, first);
    System.arraycopy(classes, 0, grown, first, head);
    classes = grown;
    head = 0;
  }

  private long[] rotate(long[] ring, int first) {
    long[] grown = Arrays.copyOfRange(ring, head, head + ring.length * 2);
    System.arraycopy(ring, 0, grown, first, head);
    return grown;
  }
}
