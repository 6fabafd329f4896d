package org.nelumbo.dm.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.fabric.local.ForwardingNodeMemory;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.fabric.tcp.Wire;
import org.nelumbo.dm.pool.Channel;

/**
 * Tests that frames of verbs, valid and invalid, delivered in pieces as by a network, change the
 * memory of a node exactly as the protocol specifies, and nothing outside it. The number of frames
 * and the seed of a long run are system properties: {@code -Dnelumbo.frames=100000000
 * -Dnelumbo.seed=7}.
 */
class VerbFrameFuzzTest {
  private static final int BYTES = 16 << 10;
  private static final int AROUND = 64 << 10;
  private static final byte CANARY = 0x5A;

  private static final long FRAMES = Long.getLong("nelumbo.frames", 300_000);
  private static final long SEED = Long.getLong("nelumbo.seed", 1);

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final NodeMemory surroundings = LocalMemory.reserve(BYTES + 2 * AROUND);
  private final MemorySegment all =
      MemorySegment.ofAddress(surroundings.address()).reinterpret(BYTES + 2 * AROUND);
  private final LocalFabric fabric =
      new LocalFabric(
          new NodeMemory[] {
            new ForwardingNodeMemory(surroundings) {
              @Override
              public long address() {
                return surroundings.address() + AROUND;
              }

              @Override
              public long bytes() {
                return BYTES;
              }
            }
          });
  private final Channel channel = fabric.openChannel(VerbFrame.STAGING_BYTES);
  private final VerbFrame verbs = new VerbFrame(channel);
  private final VerbModel model = new VerbModel(BYTES);
  private final FrameGenerator generator = new FrameGenerator(random, BYTES);
  private final ByteBuffer out = Wire.buffer(Wire.FRAME_LENGTH_MAX);
  private final Stream stream = new Stream();
  private long done;
  private long refused;

  @AfterEach
  void close() {
    channel.close();
    fabric.close();
  }

  /** The input of a connection: bytes in pieces of random size, then the end of the stream. */
  private final class Stream extends InputStream {
    private final ByteBuffer bytes = ByteBuffer.allocate(16 * FrameGenerator.LENGTH_MAX);

    @Override
    public int read() {
      throw new AssertionError();
    }

    @Override
    public int read(byte[] to, int offset, int length) {
      if (!bytes.hasRemaining()) {
        return -1;
      }
      int some = random.nextInt(4) == 0 ? 1 + random.nextInt(64) : length;
      int count = Math.min(Math.min(some, length), bytes.remaining());
      bytes.get(to, offset, count);
      return count;
    }
  }

  @Test
  void shouldExecuteVerbFramesExactlyAsSpecified() throws IOException {
    all.fill(CANARY);
    all.asSlice(AROUND, BYTES).fill((byte) 0);
    long connections = 0;
    while (done + refused < FRAMES) {
      connect();
      if (++connections % 16 == 0) {
        compare();
      }
    }
    compare();
    assertTrue(done > refused && refused > done / 100, "done=" + done + " refused=" + refused);
  }

  /** Runs one connection from its first frame of verbs to its end. */
  private void connect() throws IOException {
    int count = 1 + random.nextInt(8);
    stream.bytes.clear();
    for (int i = 0; i < count; i++) {
      stream.bytes.put(generator.next(i));
    }
    stream.bytes.flip();
    FrameBuffer in = new FrameBuffer(Wire.FRAME_LENGTH_MAX);
    try {
      while (true) {
        while (!in.hasFrame()) {
          in.fill(stream);
        }
        execute(in);
        done++;
      }
    } catch (EOFException e) {
      // an incomplete frame has no effect
    } catch (ProtocolException | IllegalArgumentException e) {
      refused++;
    }
  }

  /**
   * Executes a frame in the node and in the model; the model decides whether the frame is valid.
   */
  private void execute(FrameBuffer in) {
    boolean isRight = model.execute(in.frame());
    try {
      verbs.execute(in.bytes(), in.offset(), in.frameLength(), in.count());
    } catch (ProtocolException | IllegalArgumentException e) {
      if (isRight) {
        throw new AssertionError(where() + ": a right frame was refused", e);
      }
      throw e;
    }
    if (!isRight) {
      throw new AssertionError(where() + ": a wrong frame was executed");
    }
    ByteBuffer expected = model.results();
    if (expected.position() != verbs.resultBytes()) {
      throw new AssertionError(where() + ": results=" + verbs.resultBytes());
    }
    out.clear();
    verbs.putResults(out);
    compareResults(in.frame(), expected);
    in.next();
  }

  /** Compares the results except for the padding bytes, which may have any value. */
  private void compareResults(ByteBuffer frame, ByteBuffer expected) {
    int at = 0;
    frame.position(Wire.HEADER_LENGTH);
    while (frame.hasRemaining()) {
      long word = frame.getLong();
      frame.getLong();
      int operation = Wire.operation(word);
      int length = 0;
      int sent = 0;
      switch (operation) {
        case Wire.READ -> length = Wire.length(word);
        case Wire.WRITE -> sent = Wire.padded(Wire.length(word));
        case Wire.WRITE_WORD -> sent = 8;
        case Wire.CAS -> {
          sent = 16;
          length = 8;
        }
        default -> {
          sent = 8;
          length = 8;
        }
      }
      frame.position(frame.position() + sent);
      if (!expected.slice(at, length).equals(out.slice(at, length))) {
        throw new AssertionError(where() + ": another result of operation " + operation);
      }
      at += Wire.padded(length);
    }
  }

  private void compare() {
    MemorySegment expected = MemorySegment.ofArray(model.memory());
    long differs = expected.mismatch(all.asSlice(AROUND, BYTES));
    assertEquals(-1, differs, () -> where() + ": the memory differs");
    for (int i = 0; i < AROUND; i += 8) {
      long word = CANARY * 0x0101010101010101L;
      if (all.get(ValueLayout.JAVA_LONG, i) != word
          || all.get(ValueLayout.JAVA_LONG, i + AROUND + BYTES) != word) {
        throw new AssertionError(where() + ": bytes outside of the node were written");
      }
    }
  }

  private String where() {
    return "seed " + SEED + ", frame " + (done + refused);
  }
}
