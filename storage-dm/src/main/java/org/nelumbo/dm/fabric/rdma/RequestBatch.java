package org.nelumbo.dm.fabric.rdma;

import java.lang.foreign.Arena;

/**
 * The pending verbs of one channel to one memory node, encoded as a list of requests that is posted
 * as a whole: one call, and one completion, which belongs to the last request. Reused for each
 * flush; a verb allocates nothing.
 *
 * <p><b>Order.</b> A queue pair executes its requests in posted order, except that a READ may
 * execute after a WRITE or an atomic that was posted behind it. So the first of these behind a READ
 * waits until the READ is complete ({@link SendRequest#FENCE}).
 */
final class RequestBatch {
  private final SendQueue queue;
  private final RemoteMemory remote;
  private final long staging;
  private final int stagingKey;
  private final int capacity;
  private final Arena arena = Arena.ofAuto();
  private final long requests;
  private final long elements;
  private final long words;
  private final long completion;
  private int count;

  /** True if a READ was added since the last fenced verb. */
  private boolean hasReads;

  /**
   * Creates an empty batch.
   *
   * @param stagingBase address of the channel's staging buffer
   * @param stagingKey local key of the staging buffer
   */
  RequestBatch(SendQueue queue, RemoteMemory remote, long stagingBase, int stagingKey) {
    assert queue.inlineBytes() >= Long.BYTES : "words are sent inline";
    this.queue = queue;
    this.remote = remote;
    this.staging = stagingBase;
    this.stagingKey = stagingKey;
    this.capacity = queue.requests();
    this.requests = allocate(SendRequest.LENGTH);
    this.elements = allocate(SendRequest.ELEMENT_LENGTH);
    this.words = allocate(Long.BYTES);
    this.completion = arena.allocate(Completion.LENGTH, Long.BYTES).address();
    for (int i = 0; i < capacity; i++) {
      SendRequest.prepare(request(i), element(i));
      SendRequest.next(request(i), i + 1 < capacity ? request(i + 1) : 0);
    }
  }

  private long allocate(int bytes) {
    return arena.allocate((long) capacity * bytes, 64).address();
  }

  private long request(int index) {
    return requests + (long) index * SendRequest.LENGTH;
  }

  private long element(int index) {
    return elements + (long) index * SendRequest.ELEMENT_LENGTH;
  }

  boolean isEmpty() {
    return count == 0;
  }

  boolean isFull() {
    return count == capacity;
  }

  void read(long offset, int stagingOffset, int bytes) {
    SendRequest.element(element(count), staging + stagingOffset, bytes, stagingKey);
    SendRequest.copy(request(count), SendRequest.READ, 0, remote.address() + offset, remote.key());
    count++;
    hasReads = true;
  }

  void write(long offset, int stagingOffset, int bytes) {
    int inline = bytes <= queue.inlineBytes() ? SendRequest.INLINE : 0;
    SendRequest.element(element(count), staging + stagingOffset, bytes, stagingKey);
    write(offset, inline);
  }

  void writeWord(long offset, long value) {
    long word = words + (long) count * Long.BYTES;
    NativeMemory.putLong(word, value);
    SendRequest.element(element(count), word, Long.BYTES, 0);
    write(offset, SendRequest.INLINE);
  }

  private void write(long offset, int inline) {
    SendRequest.copy(
        request(count),
        SendRequest.WRITE,
        inline | fence(),
        remote.address() + offset,
        remote.key());
    count++;
  }

  void compareAndSwap(long offset, long expected, long replacement, int stagingOffset) {
    atomic(SendRequest.COMPARE_AND_SWAP, offset, expected, replacement, stagingOffset);
  }

  void fetchAndAdd(long offset, long delta, int stagingOffset) {
    atomic(SendRequest.FETCH_AND_ADD, offset, delta, 0, stagingOffset);
  }

  private void atomic(int code, long offset, long compareAdd, long swap, int stagingOffset) {
    SendRequest.element(element(count), staging + stagingOffset, Long.BYTES, stagingKey);
    SendRequest.atomic(
        request(count), code, fence(), remote.address() + offset, compareAdd, swap, remote.key());
    count++;
  }

  private int fence() {
    int fence = hasReads ? SendRequest.FENCE : 0;
    hasReads = false;
    return fence;
  }

  /** Posts all requests; returns 0, or an error number. */
  int post() {
    long last = request(count - 1);
    SendRequest.next(last, 0);
    SendRequest.flags(last, SendRequest.flags(last) | SendRequest.SIGNALED);
    return queue.post(requests);
  }

  /** Returns true if all posted requests are complete or one has failed; see {@link #status}. */
  boolean isDone() {
    int taken = queue.poll(completion);
    if (taken == 0) {
      return false;
    }
    if (taken < 0) {
      NativeMemory.putInt(completion + Completion.STATUS_OFFSET, -1);
    }
    return true;
  }

  /** Returns {@link Completion#DONE}, or the status of the failure. */
  int status() {
    return Completion.status(completion);
  }

  int vendorStatus() {
    return NativeMemory.getInt(completion + Completion.VENDOR_OFFSET);
  }

  /** Removes all verbs; none of them is outstanding. */
  void clear() {
    if (count > 0) {
      SendRequest.next(request(count - 1), count < capacity ? request(count) : 0);
      count = 0;
    }
    hasReads = false;
  }
}
