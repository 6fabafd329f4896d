package org.nelumbo.executor.lock.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.executor.lock.LockResult;

class MessageTest {
  private final ByteBuffer buffer = ByteBuffer.allocate(PeerNetwork.MESSAGE_BYTES_MAX);

  @Test
  void shouldReadTheLongestRequest() {
    LockRequest request = new LockRequest();
    request.flags = LockRequest.NO_WAIT;
    request.slot = 4094;
    request.epoch = 1L << 50;
    request.begin = 2;
    request.sequence = 3;
    request.ticket = 4;
    request.priority = -5;
    for (int i = 0; i < LockRequest.UNLOCKS_MAX; i++) {
      request.addUnlock(-i, i + 7L);
    }
    for (int i = 0; i < LockRequest.LOCKS_MAX; i++) {
      request.addLock(1L << 63 | i, (byte) (i % 4 + 1));
    }
    request.encode(buffer);
    assertEquals(MessageKind.REQUEST, buffer.get());
    LockRequest read = LockRequest.decode(buffer);
    assertEquals(LockRequest.NO_WAIT, read.flags);
    assertEquals(4094, read.slot);
    assertEquals(1L << 50, read.epoch);
    assertEquals(2, read.begin);
    assertEquals(3, read.sequence);
    assertEquals(4, read.ticket);
    assertEquals(-5, read.priority);
    assertEquals(LockRequest.UNLOCKS_MAX, read.unlocks);
    assertEquals(-63, read.unlockKeys[63]);
    assertEquals(70, read.unlockSequences[63]);
    assertEquals(LockRequest.LOCKS_MAX, read.locks);
    assertEquals(1L << 63 | 255, read.keys[255]);
    assertEquals(4, read.operations[255]);
    assertTrue(!buffer.hasRemaining());
  }

  @Test
  void shouldDecodeReplies() {
    byte[] statuses = {LockResult.GRANTED.code(), LockResult.WAIT.code(), LockResult.DIE.code()};
    long[] addresses = {1L << 47 | 16, 0, 0};
    new LockReply(1, 2, 3, 4, 5, statuses, addresses).encode(buffer);
    assertEquals(MessageKind.REPLY, buffer.get());
    LockReply read = LockReply.decode(buffer);
    assertEquals(new LockReply(1, 2, 3, 4, 5, read.statuses(), read.addresses()), read);
    assertArrayEquals(statuses, read.statuses());
    assertArrayEquals(addresses, read.addresses());
  }

  @Test
  void shouldReadAbortMessages() {
    ProbeMessage question = new ProbeMessage(MessageKind.PROBE, 9, 4, -1L, 3, false);
    question.encode(buffer);
    assertEquals(MessageKind.PROBE, buffer.get());
    assertEquals(question, ProbeMessage.decode(MessageKind.PROBE, buffer));
    AbortMessage message =
        new AbortMessage(MessageKind.ABORT_REPLY, 9, 1L << 40, CommitLatch.HOLDING);
    message.encode(buffer);
    assertEquals(message, AbortMessage.decode(buffer.get(), buffer));
  }

  @Test
  void shouldRefuseMoreThanFits() {
    new LockRequest().encode(buffer);
    buffer.putShort(buffer.limit() - Short.BYTES, (short) 10_000);
    buffer.get();
    assertThrows(IllegalArgumentException.class, () -> LockRequest.decode(buffer));
  }
}
