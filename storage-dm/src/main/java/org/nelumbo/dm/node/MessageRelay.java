package org.nelumbo.dm.node;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.nelumbo.dm.fabric.tcp.Wire;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;

/**
 * Relays messages between compute nodes. Each has a queue for its connection; a sender does not
 * wait. A message that does not fit into the queue, or whose receiver has no connection here, is
 * lost. Thread-safe.
 */
final class MessageRelay {
  private final Map<PeerId, MessageQueue> queues = new ConcurrentHashMap<>();
  private final LongAdder relayed = new LongAdder();
  private final LongAdder lost = new LongAdder();

  /** Registers the connection of a compute node for messages; ends its previous one. */
  void enter(PeerId peer, MessageQueue queue) {
    MessageQueue before = queues.put(peer, queue);
    if (before != null) {
      before.end();
    }
  }

  void leave(PeerId peer, MessageQueue queue) {
    queues.remove(peer, queue);
  }

  /**
   * Forwards a message, or reports that its receiver is not connected; returns the queue to flush.
   *
   * @param ofSender queue of the sender, for that report
   * @param frame received frame
   * @throws ProtocolException if the frame is not a valid message
   */
  MessageQueue forward(PeerId from, MessageQueue ofSender, ByteBuffer frame) {
    if (frame.remaining() < Wire.MESSAGE_OFFSET) {
      throw new ProtocolException("received a message without a recipient");
    }
    int length = frame.getInt(Wire.MESSAGE_LENGTH_OFFSET);
    if (length < 0
        || length > PeerNetwork.MESSAGE_BYTES_MAX
        || Wire.MESSAGE_OFFSET + Wire.padded(length) != frame.remaining()) {
      throw new ProtocolException("received a message of a wrong length length=" + length);
    }
    PeerId to =
        new PeerId(
            frame.getInt(Wire.PEER_NODE_OFFSET), frame.getLong(Wire.PEER_INCARNATION_OFFSET));
    MessageQueue queue = queues.get(to);
    if (queue == null) {
      ofSender.put(Wire.ABSENT, to, frame, 0);
      lost.increment();
      return ofSender;
    }
    if (queue.put(Wire.DELIVER, from, frame, length)) {
      relayed.increment();
    } else {
      lost.increment();
    }
    return queue;
  }

  /** Returns a line of {@code key=value}. */
  String status() {
    return "messages=" + relayed.sum() + " messages_lost=" + lost.sum() + "\n";
  }
}
