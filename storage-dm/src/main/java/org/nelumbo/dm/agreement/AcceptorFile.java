package org.nelumbo.dm.agreement;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.zip.CRC32C;
import org.nelumbo.dm.env.Environment;

/**
 * A file with the incarnation and the state of an acceptor, which survives the process and the
 * machine. There are two slots for the state, written in turn: if the power fails during a write,
 * the other slot is intact. A file that is lost, or has no intact state, gets another incarnation.
 * If the last write is damaged later, this cannot be distinguished from an unfinished write, and
 * the state before it is used.
 *
 * <pre>
 *      0  | magic "NELUMBOV" | incarnation | checksum of both |
 *   4096  | sequence | length | checksum of both and the state | state |   even sequences
 *  32768  | likewise |                                                     odd sequences
 * </pre>
 */
public final class AcceptorFile implements AcceptorStore, AutoCloseable {
  /** "NELUMBOV" in ASCII, little-endian. */
  private static final long MAGIC = 0x564F424D554C454EL;

  private static final int HEADER_LENGTH = 24;
  private static final int FIRST_PLACE = 4096;
  private static final int SECOND_PLACE = 32768;
  private static final Set<StandardOpenOption> MODE =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  private static final FileAttribute<?> OF_OWNER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path path;
  private final FileChannel channel;
  private long incarnation;
  private long sequence;
  private AcceptorState state;

  private record Stored(long sequence, AcceptorState state) {}

  private AcceptorFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Opens a file, exclusively for this process; begins a new incarnation if it does not exist.
   *
   * @throws IOException if it cannot be used, or another process has it open
   */
  public static AcceptorFile open(Path path, Environment environment) throws IOException {
    FileChannel channel = FileChannel.open(path, MODE, OF_OWNER);
    try {
      lock(channel);
      AcceptorFile file = new AcceptorFile(path, channel);
      file.begin(environment);
      return file;
    } catch (IOException | RuntimeException | Error e) {
      try (channel) {
        throw e;
      }
    }
  }

  private static void lock(FileChannel channel) throws IOException {
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      throw new IOException("it is in use by another memory node");
    }
  }

  private void begin(Environment environment) throws IOException {
    ByteBuffer header = read(0, HEADER_LENGTH);
    boolean isWhole =
        header.getLong(0) == MAGIC && header.getLong(2 * Long.BYTES) == headerChecksum(header);
    Stored last = isWhole ? latest(stored(FIRST_PLACE), stored(SECOND_PLACE)) : null;
    if (last != null) {
      incarnation = header.getLong(Long.BYTES);
      sequence = last.sequence();
      state = last.state();
      return;
    }
    channel.truncate(0);
    incarnation = environment.randomLong();
    write(AcceptorState.EMPTY);
    header.putLong(0, MAGIC).putLong(Long.BYTES, incarnation);
    header.putLong(2 * Long.BYTES, headerChecksum(header));
    writeFully(header.rewind(), 0);
    forceEntry();
  }

  private void forceEntry() throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
      entries.force(true);
    }
  }

  private static Stored latest(Stored one, Stored other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.sequence() > other.sequence() ? one : other;
  }

  private Stored stored(int place) throws IOException {
    ByteBuffer header = read(place, HEADER_LENGTH);
    long length = header.getLong(Long.BYTES);
    if (length < 0 || length > AgreementEncoding.STATE_LENGTH_MAX) {
      return null;
    }
    byte[] bytes = new byte[(int) length];
    read(place + HEADER_LENGTH, bytes.length).get(bytes);
    if (header.getLong(2 * Long.BYTES) != checksum(header, bytes)) {
      return null;
    }
    try {
      return new Stored(header.getLong(0), AgreementEncoding.state(bytes));
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "it is intact, but this version of Nelumbo cannot read it ("
              + e.getMessage()
              + "): start the version that wrote it, or remove the file if the other memory"
              + " nodes have theirs",
          e);
    }
  }

  /** Returns zeros for bytes after the end of the file. */
  private ByteBuffer read(long from, int length) throws IOException {
    ByteBuffer bytes = buffer(length);
    while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
      // until it is full, or the file ends
    }
    return bytes.clear();
  }

  private static ByteBuffer buffer(int length) {
    return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static long headerChecksum(ByteBuffer header) {
    CRC32C sum = new CRC32C();
    sum.update(header.duplicate().clear().limit(2 * Long.BYTES));
    return ~sum.getValue();
  }

  private static long checksum(ByteBuffer header, byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(header.duplicate().clear().limit(2 * Long.BYTES));
    sum.update(bytes);
    return ~sum.getValue();
  }

  /** Returns the identity of the acceptor's memory: another one if the file was lost. */
  public long incarnation() {
    return incarnation;
  }

  @Override
  public AcceptorState load() {
    return state;
  }

  @Override
  public void store(AcceptorState newState) {
    try {
      write(newState);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the promises of this memory node cannot be written to " + path + ": " + e, e);
    }
  }

  private void write(AcceptorState newState) throws IOException {
    byte[] bytes = AgreementEncoding.encode(newState);
    long next = sequence + 1;
    ByteBuffer all = buffer(HEADER_LENGTH + bytes.length);
    all.putLong(0, next).putLong(Long.BYTES, bytes.length);
    all.putLong(2 * Long.BYTES, checksum(all, bytes));
    all.position(HEADER_LENGTH).put(bytes).flip();
    writeFully(all, (next & 1) == 0 ? FIRST_PLACE : SECOND_PLACE);
    sequence = next;
    state = newState;
  }

  private void writeFully(ByteBuffer bytes, long place) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes, place + bytes.position());
    }
    channel.force(true);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
