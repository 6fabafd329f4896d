package org.nelumbo.dm.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.fabric.tcp.Wire;

/** Tests that an unauthenticated connection occupies only a few kilobytes, whatever it sends. */
class FrameBufferTest {
  private static final int SMALL = 4 << 10;

  private final FrameBuffer buffer = new FrameBuffer(Wire.FIRST_FRAME_LENGTH_MAX);

  private boolean receive(int frameLength, int bytes) throws IOException {
    ByteBuffer sent = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    sent.putInt(0, frameLength);
    ByteArrayInputStream from = new ByteArrayInputStream(sent.array());
    while (from.available() > 0) {
      if (buffer.hasFrame()) {
        return true;
      }
      buffer.fill(from);
    }
    return buffer.hasFrame();
  }

  @Test
  void shouldAllocateLittleForSmallFrames() throws IOException {
    assertTrue(receive(SMALL, SMALL));
    assertEquals(SMALL, buffer.bytes().length);
  }

  @Test
  void shouldRejectLongFramesBeforeAllocating() {
    int longer = Wire.FIRST_FRAME_LENGTH_MAX + 8;
    assertThrows(ProtocolException.class, () -> receive(longer, 64));
    assertEquals(SMALL, buffer.bytes().length);
  }

  @Test
  void shouldAcceptLongFramesOnceEnlarged() throws IOException {
    buffer.enlarge(Wire.FRAME_LENGTH_MAX, Wire.FIRST_FRAME_LENGTH_MAX);
    int longer = Wire.FIRST_FRAME_LENGTH_MAX + 8;
    assertFalse(receive(longer, 64));
    assertTrue(buffer.bytes().length < Wire.FRAME_LENGTH_MAX);
  }
}
