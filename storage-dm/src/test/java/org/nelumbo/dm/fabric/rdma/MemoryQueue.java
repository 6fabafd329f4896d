package org.nelumbo.dm.fabric.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Queue;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * A queue without a device. It executes encoded requests on the memory behind a channel, as lazily
 * as a device may: a READ is executed last, or before a request with a fence.
 */
final class MemoryQueue implements SendQueue {
  static final int KEY = 0x1234;
  static final int LOCAL_KEY = 0;
  static final long BASE = 0x7000_0000_0000L;
  private static final int INLINE_BYTES = 24;
  private static final int SIGNALED_STATUS = 0;
  private static final int NO_REPLY = 12;

  private final Channel target;
  private final int requests;
  private final Queue<Long> reads = new ArrayDeque<>();
  private int completions;
  private int status = SIGNALED_STATUS;

  /** Number of posted requests, of calls that posted them, and of requests with a fence. */
  int posted;

  int calls;
  int fenced;
  boolean closed;

  /** Maximum length in bytes of a READ reply; longer replies are lost. */
  int packetBytes = Integer.MAX_VALUE;

  /** True if results of atomics have the reverse byte order. */
  boolean answersBackwards;

  MemoryQueue(Channel target, int requests) {
    this.target = target;
    this.requests = requests;
  }

  /** Sets the status of the next completion. */
  void failWith(int wrong) {
    status = wrong;
  }

  @Override
  public int requests() {
    return requests;
  }

  @Override
  public int inlineBytes() {
    return INLINE_BYTES;
  }

  @Override
  public int post(long first) {
    calls++;
    int here = 0;
    for (long at = first; at != 0; at = word(at + SendRequest.NEXT_OFFSET)) {
      boolean isLast = word(at + SendRequest.NEXT_OFFSET) == 0;
      int flags = number(at + SendRequest.FLAGS_OFFSET);
      assertEquals(isLast, (flags & SendRequest.SIGNALED) != 0, "the last one is signaled");
      assertEquals(1, number(at + SendRequest.ELEMENT_COUNT_OFFSET));
      if ((flags & SendRequest.FENCE) != 0) {
        fenced++;
        doReads();
      }
      post(at, flags);
      here++;
    }
    doReads();
    posted += here;
    assertTrue(here <= requests, "more requests than there may be");
    completions++;
    return 0;
  }

  private void post(long request, int flags) {
    int code = number(request + SendRequest.CODE_OFFSET);
    if (code == SendRequest.READ) {
      reads.add(request);
      return;
    }
    long remote = PoolAddress.of(0, word(request + SendRequest.REMOTE_OFFSET) - BASE);
    long element = word(request + SendRequest.ELEMENTS_OFFSET);
    int bytes = number(element + SendRequest.ELEMENT_BYTES_OFFSET);
    MemorySegment local = local(element);
    switch (code) {
      case SendRequest.WRITE -> {
        boolean isInline = (flags & SendRequest.INLINE) != 0;
        assertEquals(bytes <= INLINE_BYTES, isInline, "small data is inline");
        assertEquals(KEY, number(request + SendRequest.KEY_OFFSET));
        MemorySegment.copy(local, 0, target.staging(), 0, bytes);
        target.write(remote, 0, bytes);
        target.flush();
      }
      case SendRequest.COMPARE_AND_SWAP -> {
        target.compareAndSwap(
            remote,
            word(request + SendRequest.COMPARE_ADD_OFFSET),
            word(request + SendRequest.SWAP_OFFSET),
            0);
        reply(request, local);
      }
      case SendRequest.FETCH_AND_ADD -> {
        target.fetchAndAdd(remote, word(request + SendRequest.COMPARE_ADD_OFFSET), 0);
        reply(request, local);
      }
      default -> throw new AssertionError("a request of an unknown kind code=" + code);
    }
  }

  private void reply(long request, MemorySegment local) {
    assertEquals(KEY, number(request + SendRequest.ATOMIC_KEY_OFFSET));
    assertEquals(Long.BYTES, local.byteSize());
    target.flush();
    long reply = target.staging().get(ValueLayout.JAVA_LONG, 0);
    local.set(ValueLayout.JAVA_LONG, 0, answersBackwards ? Long.reverseBytes(reply) : reply);
  }

  private void doReads() {
    for (Long request; (request = reads.poll()) != null; ) {
      long remote = PoolAddress.of(0, word(request + SendRequest.REMOTE_OFFSET) - BASE);
      MemorySegment local = local(word(request + SendRequest.ELEMENTS_OFFSET));
      assertEquals(KEY, number(request + SendRequest.KEY_OFFSET));
      if (local.byteSize() > packetBytes) {
        status = NO_REPLY;
      }
      target.read(remote, 0, (int) local.byteSize());
      target.flush();
      MemorySegment.copy(target.staging(), 0, local, 0, local.byteSize());
    }
  }

  private static MemorySegment local(long element) {
    assertEquals(LOCAL_KEY, number(element + SendRequest.ELEMENT_KEY_OFFSET));
    return MemorySegment.ofAddress(word(element))
        .reinterpret(number(element + SendRequest.ELEMENT_BYTES_OFFSET));
  }

  private static long word(long address) {
    return NativeMemory.getLong(address);
  }

  private static int number(long address) {
    return NativeMemory.getInt(address);
  }

  @Override
  public int poll(long completion) {
    if (completions == 0) {
      return 0;
    }
    completions--;
    NativeMemory.putInt(completion + Completion.STATUS_OFFSET, status);
    return 1;
  }

  @Override
  public void close() {
    closed = true;
  }
}
