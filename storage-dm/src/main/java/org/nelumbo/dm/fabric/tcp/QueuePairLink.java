package org.nelumbo.dm.fabric.tcp;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.fabric.rdma.Endpoint;
import org.nelumbo.dm.fabric.rdma.RemoteMemory;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * A connection by which a compute node requests queue pairs at a memory node. The queue pairs live
 * as long as the connection, which is therefore never reopened. One request at a time.
 */
final class QueuePairLink implements AutoCloseable {
  private final Handshake handshake;
  private final Handshake.Attached attached;
  private final String name;
  private final ReentrantLock lock = new ReentrantLock();
  private long sequence;

  /** The other side of a queue pair, and the memory that it serves. */
  record Served(Endpoint endpoint, RemoteMemory memory) {}

  QueuePairLink(Handshake handshake, long tenant, String name) {
    this.handshake = handshake;
    this.attached = handshake.join(tenant);
    this.name = name;
  }

  /**
   * Makes the memory node create a queue pair and connect it with a local one.
   *
   * @throws PoolOpenException if it refuses
   */
  Served connect(Endpoint own) {
    lock.lock();
    try {
      ByteBuffer request = request(Wire.QUEUE_PAIR);
      own.put(request);
      ByteBuffer reply = exchange(request).position(Wire.HEADER_LENGTH);
      Endpoint other = Endpoint.get(reply);
      return new Served(other, new RemoteMemory(reply.getLong(), reply.getLong(), reply.getInt()));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw new PoolOpenException("memory node " + name + " does not speak the protocol", e);
    } catch (IOException e) {
      throw new PoolOpenException("memory node " + name + " does not create a queue pair: " + e, e);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Releases the memory node's side of a queue pair. If the request fails, the connection is
   * closed, which releases it later.
   */
  void end(Served served) {
    lock.lock();
    try {
      exchange(request(Wire.QUEUE_PAIR_END).putInt(served.endpoint().number()));
    } catch (IOException | RuntimeException e) {
      close();
    } finally {
      lock.unlock();
    }
  }

  private static ByteBuffer request(byte type) {
    ByteBuffer frame = Wire.buffer(Wire.HEADER_LENGTH + Wire.padded(Endpoint.LENGTH));
    Wire.begin(frame, type);
    return frame;
  }

  private ByteBuffer exchange(ByteBuffer frame) throws IOException {
    assert lock.isHeldByCurrentThread();
    ByteBuffer reply = attached.exchange(frame, ++sequence, Wire.FIRST_FRAME_LENGTH_MAX);
    if (reply.get(Wire.TYPE_OFFSET) == Wire.DECLINED) {
      throw handshake.refusalIn(reply);
    }
    return reply;
  }

  /** Returns the address of the memory node. */
  String name() {
    return name;
  }

  /** Closes without waiting; a pending request fails. */
  @Override
  public void close() {
    attached.close();
  }
}
