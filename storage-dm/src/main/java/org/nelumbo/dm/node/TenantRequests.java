package org.nelumbo.dm.node;

import java.nio.ByteBuffer;
import org.nelumbo.dm.fabric.tcp.Wire;
import org.nelumbo.dm.redo.node.NodeLog;

/** Executes the requests of a tenant about tenants, including itself. Stateless. */
final class TenantRequests {
  /**
   * Length of a tenant in the response: id, silence, connections, length of the name, and the name.
   */
  private static final int TENANT_LENGTH_MAX = 2 * Long.BYTES + 2 * Integer.BYTES + 2048;

  private final MemoryNode node;
  private final TenantTable tenants;

  TenantRequests(MemoryNode node, TenantTable tenants) {
    this.node = node;
    this.tenants = tenants;
  }

  static boolean isRequest(byte type) {
    return type >= Wire.SHARE && type <= Wire.LEAVE
        || type == Wire.COMMITTED
        || type == Wire.FORGET_COMMITTED
        || type == Wire.LAST_STORE
        || type == Wire.EXPEL;
  }

  /**
   * Executes a request; returns the buffer with the response, ready to be written.
   *
   * @param out buffer for the response, if it is large enough
   */
  ByteBuffer reply(
      Tenant asking, TenantTable.Connection connection, ByteBuffer frame, ByteBuffer out) {
    ByteBuffer reply = out;
    try {
      if (frame.get(Wire.TYPE_OFFSET) == Wire.TENANTS) {
        reply = tenants(asking, out);
      } else if (frame.get(Wire.TYPE_OFFSET) == Wire.COMMITTED) {
        long timestamp = log().committed(frame.getLong(Wire.HEADER_LENGTH));
        Wire.begin(reply, Wire.DONE);
        reply.putLong(timestamp);
      } else if (frame.get(Wire.TYPE_OFFSET) == Wire.LAST_STORE) {
        Wire.begin(reply, Wire.DONE);
        reply.putLong(log().lastStore());
      } else {
        change(asking, connection, frame);
        Wire.begin(reply, Wire.DONE);
      }
    } catch (RefusedException e) {
      node.counters().countRefused(NodeCounters.Refusal.IN_USE);
      Wire.begin(reply, Wire.DECLINED);
      reply.putShort(Wire.COUNT_OFFSET, e.reason());
      Wire.putText(reply, e.getMessage());
      Wire.putText(reply, e.owner());
    }
    reply.putLong(Wire.SEQUENCE_OFFSET, frame.getLong(Wire.SEQUENCE_OFFSET));
    return Wire.end(reply);
  }

  private void change(Tenant asking, TenantTable.Connection connection, ByteBuffer frame)
      throws RefusedException {
    switch (frame.get(Wire.TYPE_OFFSET)) {
      case Wire.SHARE -> tenants.share(asking);
      case Wire.OWN_ALONE -> tenants.ownAlone(asking);
      case Wire.FORGET_COMMITTED -> log().forgetCommitted();
      case Wire.EXPEL -> tenants.expel(asking, frame.getLong(Wire.HEADER_LENGTH));
      case Wire.FENCE -> tenants.fence(asking, frame.getLong(Wire.HEADER_LENGTH));
      default -> leave(asking, connection, frame.getLong(Wire.HEADER_LENGTH));
    }
  }

  private NodeLog log() {
    if (node.log() == null) {
      throw new ProtocolException("this memory node has no log");
    }
    return node.log();
  }

  private void leave(Tenant asking, TenantTable.Connection connection, long id)
      throws RefusedException {
    if (id != asking.id) {
      throw new ProtocolException("a compute node sent the leave request of another one");
    }
    tenants.quit(asking, connection);
  }

  private ByteBuffer tenants(Tenant asking, ByteBuffer out) throws RefusedException {
    int wanted = Wire.HEADER_LENGTH + Long.BYTES + TenantTable.TENANTS_MAX * TENANT_LENGTH_MAX;
    ByteBuffer reply = out.capacity() >= wanted ? out : Wire.buffer(wanted);
    Wire.begin(reply, Wire.DONE);
    reply.putInt(0);
    int[] count = new int[1];
    tenants.visitAll(
        asking,
        (id, silentNanos, connections, name) -> {
          count[0]++;
          reply.putLong(id).putLong(silentNanos).putInt(connections);
          Wire.putText(reply, name);
        });
    reply.putInt(Wire.HEADER_LENGTH, count[0]);
    return reply;
  }
}
