package org.nelumbo.executor.cluster;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.peer.PeerId;

/**
 * What compute nodes that share a pool agree on about its schema. Immutable.
 *
 * <p>A member has <em>settled</em> a serial number when it has read the catalogue of that version,
 * nobody there uses a table that is locked or being drained, and tables that are neither are open
 * again.
 *
 * @param serial grows with each change of what follows
 * @param version of what the catalogue says: grows when that may have changed
 * @param nextId for tables, stores, indexes and the like: no smaller one is free
 * @param changer the member whose turn it is to change the schema; null: nobody's
 * @param locked ids of tables that no transaction may use
 * @param drained ids of tables that only transactions in progress may come to use
 */
public record SchemaState(
    long serial,
    long version,
    int nextId,
    PeerId changer,
    List<Integer> locked,
    List<Integer> drained) {
  /** Before the first change. */
  static final SchemaState FIRST = new SchemaState(1, 1, 0, null, List.of(), List.of());

  public SchemaState {
    locked = List.copyOf(locked);
    drained = List.copyOf(drained);
  }

  /** It is a member's turn; as before if it is another one's. */
  public SchemaState begun(PeerId by) {
    return changer == null || changer.equals(by)
        ? new SchemaState(serial + 1, version, nextId, by, List.of(), List.of())
        : this;
  }

  /** With other tables that are kept from transactions. */
  public SchemaState keeping(List<Integer> nowLocked, List<Integer> nowDrained) {
    return new SchemaState(serial + 1, version, nextId, changer, nowLocked, nowDrained);
  }

  /** The catalogue may say something else from now on. */
  public SchemaState changed() {
    return new SchemaState(serial + 1, version + 1, nextId, changer, locked, drained);
  }

  /** It is nobody's turn any more. */
  public SchemaState ended(int newNextId) {
    return new SchemaState(
        serial + 1, version, Math.max(nextId, newNextId), null, List.of(), List.of());
  }

  /** A member is gone: if it was its turn, nobody knows how far its change has come. */
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
