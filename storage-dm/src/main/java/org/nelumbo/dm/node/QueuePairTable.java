package org.nelumbo.dm.node;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.nelumbo.dm.fabric.rdma.Endpoint;
import org.nelumbo.dm.fabric.rdma.QueuePair;
import org.nelumbo.dm.fabric.rdma.RemoteMemory;
import org.nelumbo.dm.fabric.tcp.Wire;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * The queue pairs that were created on one connection, and end with it. Guarded by the lock that
 * guards the verbs of the connection, so after the connection is revoked no verb of its queue pairs
 * is executed either.
 */
final class QueuePairTable {
  /** Maximum per connection: a compute node needs one for each of its coordinators. */
  private static final int QUEUE_PAIRS_MAX = 4096;

  private final RdmaPort port;
  private final Map<Integer, QueuePair> open = new HashMap<>();

  /**
   * Creates an empty table.
   *
   * @param port RDMA port; null if there is no device
   */
  QueuePairTable(RdmaPort port) {
    this.port = port;
  }

  static boolean isRequest(byte type) {
    return type == Wire.QUEUE_PAIR || type == Wire.QUEUE_PAIR_END;
  }

  /** Executes a request; returns the response, ready to be written. */
  ByteBuffer reply(ByteBuffer frame, ByteBuffer out) {
    byte type = frame.get(Wire.TYPE_OFFSET);
    ByteBuffer body = frame.position(Wire.HEADER_LENGTH);
    try {
      if (port == null) {
        throw new PoolOpenException("it was started without --rdma");
      }
      if (type == Wire.QUEUE_PAIR) {
        connect(Endpoint.get(body), out);
      } else {
        end(body.getInt());
        Wire.begin(out, Wire.DONE);
      }
    } catch (PoolOpenException e) {
      Wire.begin(out, Wire.DECLINED);
      Wire.putText(out, e.getMessage());
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new ProtocolException("a queue pair frame is malformed: " + e.getMessage());
    }
    out.putLong(Wire.SEQUENCE_OFFSET, frame.getLong(Wire.SEQUENCE_OFFSET));
    return Wire.end(out);
  }

  private void connect(Endpoint remote, ByteBuffer out) {
    if (open.size() >= QUEUE_PAIRS_MAX) {
      throw new PoolOpenException(
          "one compute node has the maximum of " + QUEUE_PAIRS_MAX + " queue pairs");
    }
    QueuePair queuePair = port.open();
    try {
      queuePair.connect(remote);
    } catch (RuntimeException | Error e) {
      queuePair.close();
      port.closed();
      throw e;
    }
    open.put(queuePair.number(), queuePair);
    RemoteMemory memory = port.memory();
    Wire.begin(out, Wire.DONE);
    queuePair.endpoint().put(out);
    out.putLong(memory.address()).putLong(memory.bytes()).putInt(memory.key());
  }

  private void end(int number) {
    QueuePair queuePair = open.remove(number);
    if (queuePair != null) {
      queuePair.close();
      port.closed();
    }
  }

  /** Destroys all queue pairs: after this returns, no verb of them is executed. */
  void close() {
    for (QueuePair each : open.values()) {
      each.close();
      port.closed();
    }
    open.clear();
  }
}
