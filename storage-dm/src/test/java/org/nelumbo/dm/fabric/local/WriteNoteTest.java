package org.nelumbo.dm.fabric.local;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Tests that a WRITE whose process fails at any point is applied completely or not at all after its
 * note has been processed.
 */
class WriteNoteTest {
  private static final byte OLD = 1;
  private static final byte NEW = 2;
  private static final int ROOM = WriteNote.BYTES_MAX;

  private final LocalFabric fabric = new LocalFabric(1 << 20);
  private final Channel channel = fabric.openChannel(WriteNote.LENGTH);
  private final MemorySegment note = Arena.ofAuto().allocate(WriteNote.LENGTH, Long.BYTES);
  private final MemorySegment source = Arena.ofAuto().allocate(ROOM + Long.BYTES, Long.BYTES);

  private void fill(long address, int length) {
    channel.staging().asSlice(0, length).fill(OLD);
    channel.write(address, 0, length);
    channel.flush();
  }

  private byte[] read(long address, int length) {
    channel.read(address, 0, length);
    channel.flush();
    return channel.staging().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
  }

  private static byte[] all(byte value, int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, value);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 56, 61, 1024, WriteNote.BYTES_MAX})
  void shouldFinishTornWrites(int length) {
    source.fill(NEW);
    for (int shift = 0; shift < Long.BYTES; shift += 3) {
      long address = PoolAddress.of(0, 8192 + shift);
      for (int done = 0; done <= length; done += Math.max(1, length / 20)) {
        fill(address, length);
        WriteNote.begin(note.address(), address, source.address(), 8192 + shift, length);
        fill(address + done, length - done); // the failed process has written this much
        MemorySegment.copy(source, 0, channel.staging(), 0, done);
        channel.write(address, 0, done);
        assertTrue(WriteNote.finish(note, channel));
        assertArrayEquals(all(NEW, length), read(address, length), shift + " " + done);
        assertFalse(WriteNote.finish(note, channel), "it is finished once");
      }
    }
  }

  @Test
  void shouldIgnoreIncompleteNote() {
    long address = PoolAddress.of(0, 8192);
    fill(address, 64);
    note.fill(NEW);
    note.set(ValueLayout.JAVA_LONG, 0, 0); // the length is written last
    assertFalse(WriteNote.finish(note, channel));
    assertArrayEquals(all(OLD, 64), read(address, 64));
  }

  @Test
  void shouldEraseNoteAfterWrite() {
    WriteGates gates = new WriteGates(new org.nelumbo.dm.env.SystemEnvironment());
    LocalFabric shared =
        new LocalFabric(new NodeMemory[] {AnonymousMapping.reserve(1 << 20)}, gates);
    try (Channel early = shared.openChannel(3 * ROOM)) {
      gates.noteWrites(
          new WriteGates.Notes() {
            @Override
            public long take() {
              return note.address();
            }

            @Override
            public void give(long place) {
              assertEquals(note.address(), place);
            }
          });
      early.staging().fill(NEW);
      early.write(PoolAddress.of(0, 8192), 0, 3 * ROOM);
      assertEquals(NEW, note.get(ValueLayout.JAVA_BYTE, 16), "it was noted");
      assertEquals(0, note.get(ValueLayout.JAVA_LONG, 0), "and the note erased");
      early.read(PoolAddress.of(0, 8192), 0, 3 * ROOM);
      assertArrayEquals(
          all(NEW, 3 * ROOM), early.staging().toArray(ValueLayout.JAVA_BYTE), "in parts");
    }
    shared.close();
  }
}
