package org.nelumbo.executor.lock;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The words of a lock table. Thread-safe. Tests override methods to interleave accesses.
 *
 * <p>The words are an array on the Java heap. A bucket may then straddle two cache lines, but that
 * costs less than the checks of an aligned segment outside the heap. Lock and unlock of a random
 * key were measured as 22 ns, against 40 ns for the segment, or 26 ns with its checks removed.
 */
class LockMemory {
  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;

  /** Creates the given number of words, all zero. */
  LockMemory(int count) {
    words = new long[count];
  }

  long get(int index) {
    return (long) WORD.getVolatile(words, index);
  }

  void setPlain(int index, long value) {
    words[index] = value;
  }

  void setRelease(int index, long value) {
    WORD.setRelease(words, index, value);
  }

  boolean compareAndSet(int index, long expected, long replacement) {
    return WORD.compareAndSet(words, index, expected, replacement);
  }

  void add(int index, long delta) {
    WORD.getAndAdd(words, index, delta);
  }

  final int count() {
    return words.length;
  }
}
