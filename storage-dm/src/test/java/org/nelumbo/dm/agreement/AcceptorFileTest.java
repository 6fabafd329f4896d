package org.nelumbo.dm.agreement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.env.SystemEnvironment;

class AcceptorFileTest {
  private final SystemEnvironment environment = new SystemEnvironment();
  @TempDir private Path directory;

  private Path path() {
    return directory.resolve("votes");
  }

  private AcceptorFile open() throws IOException {
    return AcceptorFile.open(path(), environment);
  }

  private static AcceptorState state(int number) {
    Decision decided =
        new Decision(number, List.of(new AcceptorId(0, number)), new byte[40 * number]);
    return new AcceptorState(decided, new Ballot(number, 1), Ballot.NONE, null);
  }

  @Test
  void shouldPersistStoredState() throws IOException {
    long incarnation;
    try (AcceptorFile file = open()) {
      incarnation = file.incarnation();
      assertEquals(AcceptorState.EMPTY, file.load());
    }
    for (int i = 1; i <= 4; i++) {
      try (AcceptorFile file = open()) {
        assertEquals(incarnation, file.incarnation());
        file.store(state(i));
        assertEquals(state(i), file.load());
      }
      try (AcceptorFile file = open()) {
        assertEquals(state(i), file.load());
      }
    }
  }

  @Test
  void shouldBeAnotherIfTheFileIsLost() throws IOException {
    long incarnation;
    try (AcceptorFile file = open()) {
      incarnation = file.incarnation();
      file.store(state(1));
    }
    Files.delete(path());
    try (AcceptorFile file = open()) {
      assertNotEquals(incarnation, file.incarnation());
      assertEquals(AcceptorState.EMPTY, file.load());
    }
  }

  /** Tears a write at every point, with either part of it on the disk. */
  @Test
  void shouldKeepOldStateAfterTornWrite() throws IOException {
    byte[] before;
    byte[] after;
    long incarnation;
    try (AcceptorFile file = open()) {
      incarnation = file.incarnation();
      file.store(state(1));
      file.store(state(2));
      before = Files.readAllBytes(path());
      file.store(state(3));
      after = Files.readAllBytes(path());
    }
    before = Arrays.copyOf(before, after.length);
    for (int cut = 0; cut <= after.length; cut++) {
      if (cut % 512 != 0 && cut < after.length && before[cut] == after[cut]) {
        continue; // torn like the next one
      }
      byte[] torn = after.clone();
      System.arraycopy(before, cut, torn, cut, before.length - cut);
      assertStateOf(torn, after, incarnation, "cut=" + cut);
      torn = before.clone();
      System.arraycopy(after, cut, torn, cut, after.length - cut);
      assertStateOf(torn, after, incarnation, "written from " + cut);
    }
  }

  /** Asserts that a file has the third state if its write is complete, and else the second. */
  private void assertStateOf(byte[] torn, byte[] complete, long incarnation, String how)
      throws IOException {
    Files.write(path(), torn);
    try (AcceptorFile file = open()) {
      assertEquals(incarnation, file.incarnation(), how);
      assertEquals(state(Arrays.equals(torn, complete) ? 3 : 2), file.load(), how);
    }
  }

  @Test
  void shouldGetNewIncarnationIfBothCopiesAreDamaged() throws IOException {
    long incarnation;
    try (AcceptorFile file = open()) {
      incarnation = file.incarnation();
      file.store(state(1));
    }
    byte[] bytes = Files.readAllBytes(path());
    for (int i = 4096 + 16; i < bytes.length; i++) {
      bytes[i] ^= 1;
    }
    Files.write(path(), bytes);
    try (AcceptorFile file = open()) {
      assertNotEquals(incarnation, file.incarnation());
      assertEquals(AcceptorState.EMPTY, file.load());
    }
  }

  /** A later version has written the file, so its content must not be discarded. */
  @Test
  void shouldNotOverwriteUnreadableFile() throws IOException {
    try (AcceptorFile file = open()) {
      file.store(state(1));
    }
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path())).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(4096 + 24 + Long.BYTES, 1_000_000);
    CRC32C sum = new CRC32C();
    sum.update(bytes.duplicate().position(4096).limit(4096 + 2 * Long.BYTES));
    int length = (int) bytes.getLong(4096 + Long.BYTES);
    sum.update(bytes.duplicate().position(4096 + 24).limit(4096 + 24 + length));
    bytes.putLong(4096 + 2 * Long.BYTES, ~sum.getValue());
    Files.write(path(), bytes.array());
    IOException e = assertThrows(IOException.class, this::open);
    assertTrue(e.getMessage().contains("wrong number of acceptors"), e.getMessage());
    assertArrayEquals(bytes.array(), Files.readAllBytes(path()));
  }

  @Test
  void shouldBeOfOneProcessAtATime() throws IOException {
    try (AcceptorFile file = open()) {
      assertEquals(AcceptorState.EMPTY, file.load());
      assertThrows(IOException.class, this::open);
    }
  }
}
