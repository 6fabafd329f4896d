package org.nelumbo.executor.cluster;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.peer.PeerId;

/**
 * The agreed state of the schema of a shared pool. Immutable.
 *
 * <p>A member has <em>settled</em> a serial number when three conditions hold: it has read the
 * catalogue of that version, none of its transactions uses a table that is locked or being drained,
 * and all other tables are open again.
 *
 * @param serial serial number, increased by each change of the other components
 * @param version version of the catalogue, increased when its contents may have changed
 * @param nextId lower bound of free ids for tables, stores, indexes and the like
 * @param changer member that has the schema-change lease, or null
 * @param locked ids of tables that no transaction may use
 * @param drained ids of tables that only transactions in progress may start to use
 */
public record SchemaState(
    long serial,
    long version,
    int nextId,
    PeerId changer,
    List<Integer> locked,
    List<Integer> drained) {
  /** State before the first change. */
  static final SchemaState FIRST = new SchemaState(1, 1, 0, null, List.of(), List.of());

  public SchemaState {
    locked = List.copyOf(locked);
    drained = List.copyOf(drained);
  }

  /**
   * Returns a state in which a member has the schema-change lease; this state if another one has
   * it.
   */
  public SchemaState begun(PeerId by) {
    return changer == null || changer.equals(by)
        ? new SchemaState(serial + 1, version, nextId, by, List.of(), List.of())
        : this;
  }

  /** Returns a state with other locked and drained tables. */
  public SchemaState keeping(List<Integer> nowLocked, List<Integer> nowDrained) {
    return new SchemaState(serial + 1, version, nextId, changer, nowLocked, nowDrained);
  }

  /** Returns a state in which the contents of the catalogue may have changed. */
  public SchemaState changed() {
    return new SchemaState(serial + 1, version + 1, nextId, changer, locked, drained);
  }

  /** Returns a state in which the schema-change lease is released. */
  public SchemaState ended(int newNextId) {
    return new SchemaState(
        serial + 1, version, Math.max(nextId, newNextId), null, List.of(), List.of());
  }

  /**
   * Returns a state without a member that was removed. If it had the schema-change lease, the
   * progress of its change is unknown, so the version increases.
   */
  SchemaState without(PeerId gone) {
    return gone.equals(changer) ? ended(nextId).changed() : this;
  }

  void encode(ByteBuffer to) {
    to.putLong(serial).putLong(version).putInt(nextId);
    to.put((byte) (changer == null ? 0 : 1));
    if (changer != null) {
      to.putInt(changer.node()).putLong(changer.incarnation());
    }
    encode(to, locked);
    encode(to, drained);
  }

  private static void encode(ByteBuffer to, List<Integer> ids) {
    to.putInt(ids.size());
    ids.forEach(to::putInt);
  }

  static SchemaState decode(ByteBuffer from) {
    long serial = from.getLong();
    long version = from.getLong();
    int nextId = from.getInt();
    PeerId changer = from.get() == 0 ? null : new PeerId(from.getInt(), from.getLong());
    return new SchemaState(serial, version, nextId, changer, decodeIds(from), decodeIds(from));
  }

  private static List<Integer> decodeIds(ByteBuffer from) {
    List<Integer> ids = new ArrayList<>();
    for (int left = from.getInt(); left > 0; left--) {
      ids.add(from.getInt());
    }
    return ids;
  }
}
