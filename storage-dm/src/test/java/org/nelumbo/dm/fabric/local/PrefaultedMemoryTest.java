package org.nelumbo.dm.fabric.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.env.SystemEnvironment;

@Timeout(60)
class PrefaultedMemoryTest {
  private static final long BYTES = 64 << 20;
  private static final long AHEAD = PrefaultedMemory.AHEAD_BYTES;

  private final Environment environment = new SystemEnvironment();

  private PrefaultedMemory open() {
    return PrefaultedMemory.of(AnonymousMapping.reserve(BYTES), environment);
  }

  private void awaitReady(PrefaultedMemory memory, long offset) {
    for (int attempt = 0; memory.ready() < offset; attempt++) {
      environment.backoff(attempt);
    }
  }

  @Test
  void shouldPopulateAsFarAheadAsAllocated() {
    PrefaultedMemory memory = open();
    assertTrue(memory.populate(0, 4 << 20));
    awaitReady(memory, 8 << 20);
    assertEquals(8 << 20, memory.ready());
    memory.release();
  }

  @Test
  void shouldNeedNoThreadForLittleMemory() {
    PrefaultedMemory memory = open();
    assertTrue(memory.populate(0, (4 << 20) - 4096));
    assertEquals(Thread.State.NEW, memory.thread().getState());
    memory.release();
    assertEquals(Thread.State.NEW, memory.thread().getState());
  }

  @Test
  void shouldMakeReadyNoMoreThanItsLimit() {
    PrefaultedMemory memory = open();
    assertTrue(memory.populate(20 << 20, 1 << 20));
    awaitReady(memory, (21 << 20) + AHEAD);
    assertEquals((21 << 20) + AHEAD, memory.ready());
    memory.release();
  }

  @Test
  void shouldStopAtTheEndOfTheNode() {
    PrefaultedMemory memory = open();
    assertTrue(memory.populate(BYTES - 4096, 4096));
    awaitReady(memory, BYTES);
    assertEquals(BYTES, memory.ready());
    memory.release();
  }

  @Test
  void shouldPreserveContentWhilePopulating() {
    PrefaultedMemory memory = open();
    long word = memory.address() + (3 << 20);
    RawMemory.set(word, 42);
    memory.populate(0, 4 << 20);
    awaitReady(memory, 8 << 20);
    assertEquals(42, RawMemory.get(word));
    memory.release();
  }

  @Test
  void shouldEndItsThreadWithTheMemory() throws InterruptedException {
    PrefaultedMemory memory = open();
    memory.populate(0, 32 << 20);
    memory.release();
    memory.thread().join(30_000);
    assertFalse(memory.thread().isAlive());
  }
}
