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
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nelumbo.dm.env.SystemEnvironment;

class AcceptorFileTest {
  private final SystemEnvironment environment = new SystemEnvironment();
  @TempDir private Path directory;

  private AcceptorFile open() throws IOException {
    return AcceptorFile.open(directory.resolve("votes"), environment);
  }

  private static AcceptorState state(int number) {
    Decision decided =
        new Decision(number, List.of(new AcceptorId(0, number)), new byte[40 * number]);
    return new AcceptorState(decided, new Ballot(number, 1), Ballot.NONE, null);
  }

  @Test
  void shouldRememberWhatWasStored() throws IOException {
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
    Files.delete(directory.resolve("votes"));
    try (AcceptorFile file = open()) {
      assertNotEquals(incarnation, file.incarnation());
      assertEquals(AcceptorState.EMPTY, file.load());
    }
  }

  /**
   * Whatever part of a write has reached the disk, the state before it is there, or the one after.
   */
  @Test
  void shouldKeepTheStateBeforeAWriteThatIsTorn() throws IOException {
    Path path = directory.resolve("votes");
    byte[] before;
    byte[] after;
    long incarnation;
    try (AcceptorFile file = open()) {
      incarnation = file.incarnation();
      file.store(state(1));
      file.store(state(2));
      before = Files.readAllBytes(path);
      file.store(state(3));
      after = Files.readAllBytes(path);
    }
    int seen = 0;
    for (int cut = 0; cut < after.length; cut++) {
      boolean isSame = cut < before.length && before[cut] == after[cut];
      if (isSame && cut % 8192 != 0) {
        continue;
      }
      byte[] torn = after.clone();
      System.arraycopy(before, cut, torn, cut, Math.max(0, before.length - cut));
      Files.write(path, torn);
      try (AcceptorFile file = open()) {
        assertEquals(incarnation, file.incarnation());
        long number = file.load().decidedNumber();
        assertTrue(number == 2 || number == 3, "cut=" + cut + " number=" + number);
        seen |= 1 << number;
      }
    }
    assertEquals(1 << 2 | 1 << 3, seen);
  }

  @Test
  void shouldBeAnotherIfBothPlacesAreDamaged() throws IOException {
    Path path = directory.resolve("votes");
    long incarnation;
    try (AcceptorFile file = open()) {
      incarnation = file.incarnation();
      file.store(state(1));
    }
    byte[] bytes = Files.readAllBytes(path);
    for (int i = AcceptorFile.FIRST_PLACE + 16; i < bytes.length; i++) {
      bytes[i] ^= 1;
    }
    Files.write(path, bytes);
    try (AcceptorFile file = open()) {
      assertNotEquals(incarnation, file.incarnation());
      assertEquals(AcceptorState.EMPTY, file.load());
    }
  }

  /** Another version has written it: nothing of that is thrown away. */
  @Test
  void shouldLeaveAFileAloneThatItCannotRead() throws IOException {
    Path path = directory.resolve("votes");
    try (AcceptorFile file = open()) {
      file.store(state(1));
    }
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(AcceptorFile.FIRST_PLACE + AcceptorFile.HEADER_LENGTH + Long.BYTES, 1_000_000);
    seal(bytes, AcceptorFile.FIRST_PLACE);
    Files.write(path, bytes.array());
    IOException e = assertThrows(IOException.class, this::open);
    assertTrue(e.getMessage().contains("wrong number of acceptors"), e.getMessage());
    assertArrayEquals(bytes.array(), Files.readAllBytes(path));
  }

  /** Makes the checksum of a place right. */
  private static void seal(ByteBuffer bytes, int place) {
    int length = (int) bytes.getLong(place + Long.BYTES);
    CRC32C sum = new CRC32C();
    sum.update(bytes.slice(place, 2 * Long.BYTES));
    sum.update(bytes.slice(place + AcceptorFile.HEADER_LENGTH, length));
    bytes.putLong(place + 2 * Long.BYTES, ~sum.getValue());
  }

  /** A file as versions before this one wrote it, with its latest state in its second place. */
  private static byte[] earlierFile() {
    ByteBuffer bytes = ByteBuffer.allocate(40_000).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(0, AcceptorFile.EARLIER_MAGIC).putLong(Long.BYTES, 77);
    CRC32C sum = new CRC32C();
    sum.update(bytes.slice(0, 2 * Long.BYTES));
    bytes.putLong(2 * Long.BYTES, ~sum.getValue());
    int[] places = {AcceptorFile.EARLIER_FIRST_PLACE, AcceptorFile.EARLIER_SECOND_PLACE};
    for (int i = 0; i < places.length; i++) {
      byte[] encoded = AgreementEncoding.encode(state(5 + i));
      bytes.putLong(places[i], 6 + i).putLong(places[i] + Long.BYTES, encoded.length);
      bytes.put(places[i] + AcceptorFile.HEADER_LENGTH, encoded);
      seal(bytes, places[i]);
    }
    return bytes.array();
  }

  /** Whenever the power fails while a file is written anew, what it has promised is there. */
  @Test
  void shouldReadAFileOfAnEarlierVersion() throws IOException {
    Path path = directory.resolve("votes");
    byte[] earlier = earlierFile();
    Files.write(path, earlier);
    try (AcceptorFile file = open()) {
      assertEquals(77, file.incarnation());
      assertEquals(state(6), file.load());
    }
    byte[] after = Files.readAllBytes(path);
    byte[] halfway = after.clone();
    System.arraycopy(earlier, 0, halfway, 0, AcceptorFile.EARLIER_FIRST_PLACE);
    for (byte[] bytes : List.of(after, halfway)) {
      Files.write(path, bytes);
      try (AcceptorFile file = open()) {
        assertEquals(77, file.incarnation());
        assertEquals(state(6), file.load());
        file.store(state(7));
      }
      try (AcceptorFile file = open()) {
        assertEquals(77, file.incarnation());
        assertEquals(state(7), file.load());
      }
    }
  }

  @Test
  void shouldHaveRoomForTheLargestState() throws IOException {
    List<AcceptorId> acceptors = new ArrayList<>();
    for (int node = 0; node < AgreementEncoding.ACCEPTORS_MAX; node++) {
      acceptors.add(new AcceptorId(node, -1));
    }
    Decision largest = new Decision(1, acceptors, new byte[AgreementEncoding.CONTENT_LENGTH_MAX]);
    AcceptorState state = new AcceptorState(largest, Ballot.NONE, Ballot.NONE, largest);
    for (int i = 0; i < 2; i++) {
      try (AcceptorFile file = open()) {
        file.store(state);
      }
      try (AcceptorFile file = open()) {
        assertEquals(state, file.load());
      }
    }
  }

  @Test
  void shouldBeOfOneProcessAtATime() throws IOException {
    try (AcceptorFile file = open()) {
      assertEquals(AcceptorState.EMPTY, file.load());
      assertThrows(IOException.class, this::open);
    }
  }
}
