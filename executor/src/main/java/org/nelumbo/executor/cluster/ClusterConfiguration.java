package org.nelumbo.executor.cluster;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.ConfigurationRegister;
import org.nelumbo.executor.lock.remote.ShardMap;

/**
 * The versioned configuration on which the compute nodes that share a pool agree. Immutable: each
 * method that changes something returns the next version, or this one if there is nothing to
 * change. A member that fails or leaves is removed in these steps:
 *
 * <pre>
 *  without -> recovered -> repaired -> forgotten
 *    \          \- every member releases the locks of the removed one
 *    \- every member has settled, all are recovered -> its shards are reassigned, without any lock
 * </pre>
 *
 * A member has <em>settled</em> a version when it has installed its map, has released the locks of
 * the compute nodes that are recovered in it, and none of its transactions holds a lock of an
 * ownerless shard.
 */
public final class ClusterConfiguration {
  // Encoded flags of a member.

  private static final int GUEST = 1;
  private static final int LEAVING = 2;

  private final long version;
  private final ShardMap map;
  private final List<ClusterNode> nodes;
  private final List<Removal> removals;
  private final SchemaState schema;
  private final ShardPins pins;

  private ClusterConfiguration(
      long version,
      ShardMap map,
      List<ClusterNode> nodes,
      List<Removal> removals,
      SchemaState schema,
      ShardPins pins) {
    this.version = version;
    this.map = map;
    this.nodes = List.copyOf(nodes);
    this.removals = List.copyOf(removals);
    this.schema = schema;
    this.pins = pins;
  }

  /** Creates the first configuration, in which one compute node owns all shards. */
  public static ClusterConfiguration first(ClusterNode node) {
    return new ClusterConfiguration(
        1,
        ShardMap.first(1, List.of(node.id())),
        List.of(node),
        List.of(),
        SchemaState.FIRST,
        ShardPins.NONE);
  }

  public long version() {
    return version;
  }

  /** Returns the owners of the shards. */
  public ShardMap map() {
    return map;
  }

  /** Returns the members. */
  public List<ClusterNode> nodes() {
    return nodes;
  }

  /** Returns the member with an identity, or null if there is none. */
  public ClusterNode node(PeerId id) {
    return nodes.stream().filter(each -> each.id().equals(id)).findAny().orElse(null);
  }

  /** Returns the member with a number, or null if there is none. */
  public ClusterNode node(long number) {
    return nodes.stream().filter(each -> each.id().incarnation() == number).findAny().orElse(null);
  }

  /** Returns the pinned shards and their members. */
  public ShardPins pins() {
    return pins;
  }

  /**
   * Returns true if a member is a client: it owns no shards except pinned ones, because other
   * members do.
   */
  public boolean isGuest(ClusterNode node) {
    return node.isGuest() && !isAllGuests(nodes);
  }

  private static boolean isAllGuests(List<ClusterNode> nodes) {
    return nodes.stream().allMatch(ClusterNode::isGuest);
  }

  /**
   * Returns the members that share the shards which are not pinned. Excludes leaving members and
   * clients, unless no others are left.
   */
  List<PeerId> owners() {
    return ownersBeside(null);
  }

  /** Returns the members that share the shards after one has left. */
  List<PeerId> ownersBeside(PeerId leaving) {
    List<ClusterNode> others = nodes.stream().filter(each -> !each.id().equals(leaving)).toList();
    List<ClusterNode> staying = others.stream().filter(each -> !each.isLeaving()).toList();
    List<ClusterNode> candidates = staying.isEmpty() ? others : staying;
    boolean isAllGuests = isAllGuests(candidates);
    return candidates.stream()
        .filter(each -> isAllGuests || !each.isGuest())
        .map(ClusterNode::id)
        .toList();
  }

  /** Returns true if no member has shards to move. */
  boolean isBalanced() {
    return nodes.stream().allMatch(each -> ShardMove.next(this, each.id()) == null);
  }

  /**
   * Returns a configuration with shards pinned to a member, to which their owners move them. They
   * stay there until the member leaves or fails, or they are pinned elsewhere, or {@linkplain
   * #released}.
   *
   * @throws IllegalArgumentException if there are more runs of pinned shards than the encoding has
   *     room for
   */
  public ClusterConfiguration pinned(BitSet shards, PeerId at) {
    return isStaying(node(at)) ? with(pins.with(shards, at)) : this;
  }

  /** Returns true if there is a member with a number that is not about to leave. */
  boolean isStaying(long number) {
    return isStaying(node(number));
  }

  private static boolean isStaying(ClusterNode nodeOrNull) {
    return nodeOrNull != null && !nodeOrNull.isLeaving();
  }

  /**
   * Returns a configuration in which shards are no longer pinned, so that the members share them.
   */
  public ClusterConfiguration released(BitSet shards) {
    return with(pins.with(shards, null));
  }

  private ClusterConfiguration with(ShardPins next) {
    return next.equals(pins)
        ? this
        : new ClusterConfiguration(version + 1, map.again(), nodes, removals, schema, next);
  }

  /** Returns the numbers and names of the members for the log. */
  String names() {
    return nodes.stream()
        .map(each -> each.id() + " (" + each.name() + ")")
        .collect(Collectors.joining(", "));
  }

  /** Returns the state of the schema. */
  public SchemaState schema() {
    return schema;
  }

  public boolean isMember(PeerId id) {
    return map.isMember(id);
  }

  /**
   * Returns the removed compute nodes that were recovered after a version, so that their locks may
   * be released.
   */
  public List<PeerId> recoveredSince(long before) {
    return removals.stream().filter(each -> each.recovered() > before).map(Removal::id).toList();
  }

  /** Returns true if every shard has an owner, and every removed compute node is repaired. */
  public boolean isWhole() {
    return map.isAllOwned() && isRepaired();
  }

  /** Returns true if every removed compute node is repaired. */
  boolean isRepaired() {
    return removals.stream().allMatch(Removal::isRepaired);
  }

  /** Returns true if the compute node with a number was removed and is not repaired. */
  boolean isBeingRemoved(int number) {
    return removals.stream()
        .anyMatch(each -> each.id().incarnation() == number && !each.isRepaired());
  }

  /** Returns true if a compute node is neither a member nor being removed. */
  boolean isStranger(ComputeNodeEntry entry) {
    return !isMember(ClusterNode.id(entry)) && !isBeingRemoved(entry.number());
  }

  private ClusterConfiguration next(
      ShardMap newMap, List<ClusterNode> newNodes, List<Removal> newRemovals) {
    return new ClusterConfiguration(version + 1, newMap, newNodes, newRemovals, schema, pins);
  }

  /** Returns a configuration with another state of the schema. */
  ClusterConfiguration with(UnaryOperator<SchemaState> change) {
    SchemaState next = change.apply(schema);
    return next.equals(schema)
        ? this
        : new ClusterConfiguration(version + 1, map, nodes, removals, next, pins);
  }

  /**
   * Returns a configuration with one more member, which owns no shards unless it is the only
   * member.
   */
  public ClusterConfiguration with(ClusterNode node) {
    List<ClusterNode> more = new ArrayList<>(nodes);
    more.add(node);
    ShardMap grown = map.with(node.id());
    boolean isDealt =
        nodes.isEmpty() && isAllRecovered(); // then no transaction has a lock of any shard
    return next(isDealt ? grown.dealt(List.of(node.id())) : grown, more, removals);
  }

  /**
   * Returns a configuration without a member, which is fenced at every memory node.
   *
   * @param by the member that recovers it, unless another member is already recovering a compute
   *     node. One member recovers all failed ones, since the repair of an index for one may reach
   *     nodes that another one has marked
   */
  public ClusterConfiguration without(PeerId dead, PeerId by) {
    return isMember(dead)
        ? removed(new Removal(dead, recoverer(dead, by), version + 1, 0, false))
        : this;
  }

  private PeerId recoverer(PeerId beside, PeerId otherwise) {
    return removals.stream()
        .filter(each -> !each.isRepaired())
        .map(Removal::by)
        .filter(each -> !each.equals(beside) && isStaying(node(each)))
        .findAny()
        .orElse(otherwise);
  }

  /** Returns a configuration in which another member continues a recovery whose member is gone. */
  ClusterConfiguration takenOver(PeerId gone, PeerId by) {
    Removal removal = removal(gone);
    return removal != null && !removal.isRepaired() && !isMember(removal.by())
        ? replaced(removal, removal.with(recoverer(gone, by), removal.recovered(), false))
        : this;
  }

  /** Returns true if a member has to recover a removed compute node. */
  boolean isRecoveredBy(PeerId gone, PeerId by) {
    Removal removal = removal(gone);
    return removal != null && !removal.isRepaired() && removal.by().equals(by);
  }

  /** Returns true if a member has to recover the removed compute node with a number. */
  boolean isRecoveredBy(int number, PeerId by) {
    return removals.stream()
        .anyMatch(
            each ->
                !each.isRepaired() && each.by().equals(by) && each.id().incarnation() == number);
  }

  /** Returns the removed compute nodes that are not repaired. */
  List<PeerId> unfinished() {
    return removals.stream().filter(each -> !each.isRepaired()).map(Removal::id).toList();
  }

  /** Returns the removed compute nodes whose recovering member is gone, too. */
  List<PeerId> abandoned() {
    return removals.stream()
        .filter(each -> !each.isRepaired() && !isMember(each.by()))
        .map(Removal::id)
        .toList();
  }

  /**
   * Returns the compute nodes that a member has to recover and whose transactions are not decided
   * yet.
   */
  List<PeerId> unrecovered(PeerId by) {
    return removals.stream()
        .filter(each -> !each.isRecovered() && each.by().equals(by))
        .map(Removal::id)
        .toList();
  }

  /** Returns the compute nodes whose transactions are decided and that a member has to repair. */
  List<PeerId> unrepaired(PeerId by) {
    return removals.stream()
        .filter(each -> each.isRecovered() && !each.isRepaired() && each.by().equals(by))
        .map(Removal::id)
        .toList();
  }

  private Removal removal(PeerId gone) {
    return removals.stream().filter(each -> each.id().equals(gone)).findAny().orElse(null);
  }

  /**
   * Returns a configuration without a member that leaves in order. A member that owns shards and is
   * not the only one stays a member and receives no more shards.
   */
  public ClusterConfiguration left(PeerId leaving) {
    if (!isMember(leaving)) {
      return this;
    }
    boolean mayLeave = nodes.size() == 1 || map.shardsOf(leaving).isEmpty();
    return mayLeave
        ? removed(new Removal(leaving, leaving, version + 1, version + 1, true))
        : leaving(node(leaving));
  }

  private ClusterConfiguration leaving(ClusterNode node) {
    ShardPins others = pins.without(node.id());
    if (node.isLeaving() && others.equals(pins)) {
      return this;
    }
    List<ClusterNode> noted =
        nodes.stream().map(each -> each.equals(node) ? each.leaving() : each).toList();
    return new ClusterConfiguration(version + 1, map.again(), noted, removals, schema, others);
  }

  private ClusterConfiguration removed(Removal removal) {
    List<ClusterNode> fewer = new ArrayList<>(nodes);
    fewer.removeIf(each -> each.id().equals(removal.id()));
    List<Removal> more = new ArrayList<>(removals);
    more.add(removal);
    return new ClusterConfiguration(
        version + 1,
        map.without(removal.id()),
        fewer,
        more,
        schema.without(removal.id()),
        pins.without(removal.id()));
  }

  /**
   * Returns a configuration in which the transactions of a removed compute node are decided, so
   * that its locks may be released.
   */
  public ClusterConfiguration recovered(PeerId gone) {
    Removal removal = removal(gone);
    return removal == null || removal.isRecovered()
        ? this
        : replaced(removal, removal.with(removal.by(), version + 1, false));
  }

  /**
   * Returns a configuration in which a removed and recovered compute node is repaired: it has left
   * nothing in the indexes.
   */
  public ClusterConfiguration repaired(PeerId gone) {
    Removal removal = removal(gone);
    return removal == null || removal.isRepaired()
        ? this
        : replaced(removal, removal.with(removal.by(), removal.recovered(), true));
  }

  private ClusterConfiguration replaced(Removal before, Removal after) {
    return next(
        map, nodes, removals.stream().map(each -> each.equals(before) ? after : each).toList());
  }

  /**
   * Returns a configuration in which the owner of shards, which has frozen them, has given them to
   * another member.
   */
  public ClusterConfiguration moved(BitSet shards, PeerId from, PeerId to) {
    boolean isOwner = shards.stream().allMatch(shard -> from.equals(map.owner(shard)));
    return isOwner && isMember(to) && !shards.isEmpty()
        ? next(map.given(shards, to), nodes, removals)
        : this;
  }

  /**
   * Returns a configuration with the changes that members have made possible by settling: ownerless
   * shards are reassigned, and removals that are finished everywhere are forgotten.
   *
   * @param settled returns the version that a member has settled; it may be outdated
   */
  public ClusterConfiguration advanced(ToLongFunction<PeerId> settled) {
    if (nodes.isEmpty() || removals.isEmpty()) {
      return this; // every shard has an owner, since shards become ownerless by a removal only
    }
    long least = nodes.stream().mapToLong(each -> settled.applyAsLong(each.id())).min().orElse(0);
    boolean isDealt = awaitsDrain() && isAllDrained(least);
    List<Removal> left =
        removals.stream().filter(each -> !each.isRepaired() || each.recovered() > least).toList();
    return isDealt || left.size() < removals.size()
        ? next(isDealt ? map.dealt(owners()) : map, nodes, left)
        : this;
  }

  /**
   * Returns true if some change becomes possible when members settle, because a compute node was
   * removed.
   */
  boolean awaitsMembers() {
    return !removals.isEmpty();
  }

  /**
   * Returns true if there are ownerless shards, which are reassigned when no transaction relies on
   * a lock of the last owner.
   */
  public boolean awaitsDrain() {
    return !map.isAllOwned() && isAllRecovered();
  }

  private boolean isAllRecovered() {
    return removals.stream().allMatch(Removal::isRecovered);
  }

  /**
   * Returns true if no transaction relies any more on a lock that a removed compute node has
   * granted.
   */
  private boolean isAllDrained(long settledByAll) {
    return removals.stream().allMatch(each -> each.removed() <= settledByAll);
  }

  /** Encodes the configuration. */
  byte[] encode() {
    ByteBuffer to = ByteBuffer.allocate(ConfigurationRegister.BYTES_MAX);
    to.putLong(version);
    map.encode(to);
    for (ClusterNode each : nodes) {
      byte[] name = each.name().getBytes(StandardCharsets.UTF_8);
      to.putLong(each.tenant()).putLong(each.joinedMicros());
      int flags = (each.isGuest() ? GUEST : 0) | (each.isLeaving() ? LEAVING : 0);
      to.put((byte) flags).putShort((short) name.length).put(name);
    }
    to.putInt(removals.size());
    for (Removal each : removals) {
      to.putInt(each.id().node()).putLong(each.id().incarnation());
      to.putInt(each.by().node()).putLong(each.by().incarnation());
      to.putLong(each.removed()).putLong(each.recovered());
      to.put((byte) (each.isRepaired() ? 1 : 0));
    }
    schema.encode(to);
    pins.encode(to);
    byte[] bytes = new byte[to.position()];
    to.flip().get(bytes);
    return bytes;
  }

  /**
   * Decodes the result of {@link #encode}.
   *
   * @throws IllegalArgumentException if the bytes are no configuration
   */
  public static ClusterConfiguration decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    try {
      long version = from.getLong();
      ShardMap map = ShardMap.decode(from);
      List<ClusterNode> nodes = new ArrayList<>();
      for (PeerId each : map.members()) {
        long tenant = from.getLong();
        long joined = from.getLong();
        int flags = from.get();
        byte[] name = new byte[from.getShort()];
        from.get(name);
        String text = new String(name, StandardCharsets.UTF_8);
        boolean isGuest = (flags & GUEST) != 0;
        boolean isLeaving = (flags & LEAVING) != 0;
        nodes.add(new ClusterNode(each, tenant, isGuest, isLeaving, text, joined));
      }
      List<Removal> removals = new ArrayList<>();
      for (int left = from.getInt(); left > 0; left--) {
        PeerId id = new PeerId(from.getInt(), from.getLong());
        PeerId by = new PeerId(from.getInt(), from.getLong());
        removals.add(new Removal(id, by, from.getLong(), from.getLong(), from.get() != 0));
      }
      SchemaState schema = SchemaState.decode(from);
      ShardPins pins = ShardPins.decode(from);
      return new ClusterConfiguration(version, map, nodes, removals, schema, pins);
    } catch (BufferUnderflowException | NegativeArraySizeException e) {
      throw new IllegalArgumentException("the configuration of the pool cannot be read", e);
    }
  }

  @Override
  public String toString() {
    return "version "
        + version
        + ", "
        + map
        + ", placed "
        + pins
        + ", removed "
        + removals
        + ", schema "
        + schema;
  }
}
