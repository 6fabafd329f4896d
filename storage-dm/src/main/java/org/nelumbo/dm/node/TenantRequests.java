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
        || type == Wire.KNOCKS
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
  ByteBuffer answer(
      Tenant asking, TenantTable.Connection connection, ByteBuffer frame, ByteBuffer out) {
    ByteBuffer answer = out;
    try {
      if (frame.get(Wire.TYPE_OFFSET) == Wire.TENANTS) {
        answer = tenants(asking, out);
      } else if (frame.get(Wire.TYPE_OFFSET) == Wire.KNOCKS) {
        long knocks = tenants.knocks(asking);
        Wire.begin(answer, Wire.DONE);
        answer.putLong(knocks);
      } else if (frame.get(Wire.TYPE_OFFSET) == Wire.COMMITTED) {
        long timestamp = log().committed(frame.getLong(Wire.HEADER_LENGTH));
        Wire.begin(answer, Wire.DONE);
        answer.putLong(timestamp);
      } else if (frame.get(Wire.TYPE_OFFSET) == Wire.LAST_STORE) {
        Wire.begin(answer, Wire.DONE);
        answer.putLong(log().lastStore());
      } else {
        change(asking, connection, frame);
        Wire.begin(answer, Wire.DONE);
      }
    } catch (RefusedException e) {
      node.counters().countRefused(NodeCounters.Refusal.IN_USE);
      Wire.begin(answer, Wire.DECLINED);
      answer.putShort(Wire.COUNT_OFFSET, e.reason());
      Wire.putText(answer, e.getMessage());
      Wire.putText(answer, e.owner());
    }
    answer.putLong(Wire.SEQUENCE_OFFSET, frame.getLong(Wire.SEQUENCE_OFFSET));
    return Wire.end(answer);
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
    ByteBuffer answer = out.capacity() >= wanted ? out : Wire.buffer(wanted);
    Wire.begin(answer, Wire.DONE);
    answer.putInt(0);
    int[] count = new int[1];
    tenants.visitAll(
        asking,
        (id, silentNanos, connections, name) -> {
          count[0]++;
          answer.putLong(id).putLong(silentNanos).putInt(connections);
          Wire.putText(answer, name);
        });
    answer.putInt(Wire.HEADER_LENGTH, count[0]);
    return answer;
  }
}
