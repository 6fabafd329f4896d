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
 * What the compute nodes that share a pool agree on, under a version. Immutable: each method that
 * changes something returns the next one, or this one if there is nothing to change.
 *
 * <pre>
 *   without -> recovered -> repaired -> forgotten
 *       \          \- every member releases the locks of the gone one
 *        \- every member settled, all recovered -> its shards are dealt out anew, without a lock
 * </pre>
 *
 * A member has <em>settled</em> a version when it has installed its map, has released the locks of
 * those that are recovered in it, and no transaction there holds on to a lock of a shard that
 * nobody owns.
 */
public final class ClusterConfiguration {
  // Flags of a member, as they are encoded.

  private static final int GUEST = 1;
  private static final int LEAVING = 2;

  private final long version;
  private final ShardMap map;
  private final List<ClusterNode> nodes;
  private final List<Removal> removals;
  private final SchemaState schema;
  private final Placements placements;

  private ClusterConfiguration(
      long version,
      ShardMap map,
      List<ClusterNode> nodes,
      List<Removal> removals,
      SchemaState schema,
      Placements placements) {
    this.version = version;
    this.map = map;
    this.nodes = List.copyOf(nodes);
    this.removals = List.copyOf(removals);
    this.schema = schema;
    this.placements = placements;
  }

  /** The first configuration: a compute node that has all shards. */
  public static ClusterConfiguration first(ClusterNode node) {
    return new ClusterConfiguration(
        1,
        ShardMap.first(1, List.of(node.id())),
        List.of(node),
        List.of(),
        SchemaState.FIRST,
        Placements.NONE);
  }

  public long version() {
    return version;
  }

  /** Who owns which shards. */
  public ShardMap map() {
    return map;
  }

  /** The members. */
  public List<ClusterNode> nodes() {
    return nodes;
  }

  /** A member; null if there is none of that identity. */
  public ClusterNode node(PeerId id) {
    return nodes.stream().filter(each -> each.id().equals(id)).findAny().orElse(null);
  }

  /** The member of a number; null if there is none. */
  public ClusterNode node(long number) {
    return nodes.stream().filter(each -> each.id().incarnation() == number).findAny().orElse(null);
  }

  /** Which shards somebody has placed at which members. */
  public Placements placements() {
    return placements;
  }

  /** Whether a member is beside others that own the shards. */
  public boolean isGuest(ClusterNode node) {
    return node.isGuest() && !isAllGuests(nodes);
  }

  private static boolean isAllGuests(List<ClusterNode> nodes) {
    return nodes.stream().allMatch(ClusterNode::isGuest);
  }

  /**
   * The members that own shards, placed ones aside: none that leaves, and no guests, if possible.
   */
  List<PeerId> owners() {
    return ownersBeside(null);
  }

  /** The members that own shards when one has left. */
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

  /** Whether each member has the shards that it is to have. */
  boolean isBalanced() {
    return nodes.stream().allMatch(each -> ShardMove.next(this, each.id()) == null);
  }

  /**
   * With shards placed at a member, which their owners give to it. They stay there until it leaves
   * or dies, or they are placed elsewhere, or {@linkplain #released}.
   *
   * @throws IllegalArgumentException if there are more runs of such shards than there is room for
   */
  public ClusterConfiguration placed(BitSet shards, PeerId at) {
    return isStaying(node(at)) ? with(placements.with(shards, at)) : this;
  }

  /** Returns true if there is a member of a number that is not about to leave. */
  boolean isStaying(long number) {
    return isStaying(node(number));
  }

  private static boolean isStaying(ClusterNode nodeOrNull) {
    return nodeOrNull != null && !nodeOrNull.isLeaving();
  }

  /** With shards that are placed nowhere any more, and are had by whoever is to have more. */
  public ClusterConfiguration released(BitSet shards) {
    return with(placements.with(shards, null));
  }

  private ClusterConfiguration with(Placements next) {
    return next.equals(placements)
        ? this
        : new ClusterConfiguration(version + 1, map.again(), nodes, removals, schema, next);
  }

  /** Returns the numbers and names of the members, for the log. */
  String names() {
    return nodes.stream()
        .map(each -> each.id() + " (" + each.name() + ")")
        .collect(Collectors.joining(", "));
  }

  /** What is agreed on about the schema. */
  public SchemaState schema() {
    return schema;
  }

  public boolean isMember(PeerId id) {
    return map.isMember(id);
  }

  /** Those whose locks may be released, which became so after a version. */
  public List<PeerId> recoveredSince(long before) {
    return removals.stream().filter(each -> each.recovered() > before).map(Removal::id).toList();
  }

  /** Whether every shard has an owner, and nothing is left of anybody who was removed. */
  public boolean isWhole() {
    return map.isAllOwned() && isRepaired();
  }

  /** Whether nothing is left of anybody who was removed. */
  boolean isRepaired() {
    return removals.stream().allMatch(Removal::isRepaired);
  }

  /** Whether a compute node of a number was removed, and something of it is left. */
  boolean isBeingRemoved(int number) {
    return removals.stream()
        .anyMatch(each -> each.id().incarnation() == number && !each.isRepaired());
  }

  /** Returns true if a compute node is no member, and none that is being removed. */
  boolean isStranger(ComputeNodeEntry entry) {
    return !isMember(ClusterNode.id(entry)) && !isBeingRemoved(entry.number());
  }

  private ClusterConfiguration next(
      ShardMap newMap, List<ClusterNode> newNodes, List<Removal> newRemovals) {
    return new ClusterConfiguration(version + 1, newMap, newNodes, newRemovals, schema, placements);
  }

  /** With something else about the schema. */
  ClusterConfiguration with(UnaryOperator<SchemaState> change) {
    SchemaState next = change.apply(schema);
    return next.equals(schema)
        ? this
        : new ClusterConfiguration(version + 1, map, nodes, removals, next, placements);
  }

  /** With one more member, which owns nothing unless it is alone. */
  public ClusterConfiguration with(ClusterNode node) {
    List<ClusterNode> more = new ArrayList<>(nodes);
    more.add(node);
    ShardMap grown = map.with(node.id());
    boolean isDealt = nodes.isEmpty() && isAllRecovered(); // then nobody has a lock of any shard
    return next(isDealt ? grown.dealt(List.of(node.id())) : grown, more, removals);
  }

  /**
   * Without a member, which is fenced at every memory node.
   *
   * @param by the member that recovers it, unless another member is recovering a compute node: one
   *     member recovers all failed ones, since the repair of an index for one may reach nodes that
   *     another one has marked
   */
  public ClusterConfiguration without(PeerId dead, PeerId by) {
    return isMember(dead)
        ? removed(new Removal(dead, recoverer(dead, by), version + 1, 0, false))
        : this;
  }

  /** Returns the member that is recovering compute nodes; {@code otherwise} if there is none. */
  private PeerId recoverer(PeerId beside, PeerId otherwise) {
    return removals.stream()
        .filter(each -> !each.isRepaired())
        .map(Removal::by)
        .filter(each -> !each.equals(beside) && isStaying(node(each)))
        .findAny()
        .orElse(otherwise);
  }

  /** With another member that goes on where one has died that was recovering a compute node. */
  ClusterConfiguration takenOver(PeerId gone, PeerId by) {
    Removal removal = removal(gone);
    return removal != null && !removal.isRepaired() && !isMember(removal.by())
        ? replaced(removal, removal.with(recoverer(gone, by), removal.recovered(), false))
        : this;
  }

  /** Whether it is a member's to recover what a compute node has left. */
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

  /** Those that were removed, and of whom something is left. */
  List<PeerId> unfinished() {
    return removals.stream().filter(each -> !each.isRepaired()).map(Removal::id).toList();
  }

  /** Those whose recovery nobody goes on with: who did it has died, too. */
  List<PeerId> abandoned() {
    return removals.stream()
        .filter(each -> !each.isRepaired() && !isMember(each.by()))
        .map(Removal::id)
        .toList();
  }

  /** Returns those that a member has to recover, and whose transactions are not decided yet. */
  List<PeerId> unrecovered(PeerId by) {
    return removals.stream()
        .filter(each -> !each.isRecovered() && each.by().equals(by))
        .map(Removal::id)
        .toList();
  }

  /** Those whose transactions are decided, and of whom a member has to remove what is left. */
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
   * Without a member that has ended all it did. A member that owns shards, and is not alone, stays
   * a member, and gets no more shards.
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
    Placements others = placements.without(node.id());
    if (node.isLeaving() && others.equals(placements)) {
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
        placements.without(removal.id()));
  }

  /** The transactions of one that was removed are decided: its locks may be released. */
  public ClusterConfiguration recovered(PeerId gone) {
    Removal removal = removal(gone);
    return removal == null || removal.isRecovered()
        ? this
        : replaced(removal, removal.with(removal.by(), version + 1, false));
  }

  /** Nothing is left of one that was removed and recovered. */
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

  /** With shards given by their owner, which has frozen them, to another member. */
  public ClusterConfiguration moved(BitSet shards, PeerId from, PeerId to) {
    boolean isOwner = shards.stream().allMatch(shard -> from.equals(map.owner(shard)));
    return isOwner && isMember(to) && !shards.isEmpty()
        ? next(map.given(shards, to), nodes, removals)
        : this;
  }

  /**
   * With what has become possible since members have settled: shards that nobody owns are dealt
   * out, and removals that nobody needs to know of any more are forgotten.
   *
   * @param settled version that a member has settled, which may be old
   */
  public ClusterConfiguration advanced(ToLongFunction<PeerId> settled) {
    if (nodes.isEmpty() || removals.isEmpty()) {
      return this; // every shard has an owner: it lost the last one by a removal
    }
    long least = nodes.stream().mapToLong(each -> settled.applyAsLong(each.id())).min().orElse(0);
    boolean isDealt = awaitsDrain() && isAllDrained(least);
    List<Removal> left =
        removals.stream().filter(each -> !each.isRepaired() || each.recovered() > least).toList();
    return isDealt || left.size() < removals.size()
        ? next(isDealt ? map.dealt(owners()) : map, nodes, left)
        : this;
  }

  /** Whether something becomes possible when members have settled: somebody was removed. */
  boolean awaitsMembers() {
    return !removals.isEmpty();
  }

  /**
   * Returns true if shards have no owner, and get one as soon as no transaction relies on a lock of
   * the last one.
   */
  public boolean awaitsDrain() {
    return !map.isAllOwned() && isAllRecovered();
  }

  /** Whether nobody is left whose transactions may still be found to have committed. */
  private boolean isAllRecovered() {
    return removals.stream().allMatch(Removal::isRecovered);
  }

  /** Whether no transaction relies any more on a lock that one of the removed has granted. */
  private boolean isAllDrained(long settledByAll) {
    return removals.stream().allMatch(each -> each.removed() <= settledByAll);
  }

  /** The bytes that are agreed on. */
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
    placements.encode(to);
    byte[] bytes = new byte[to.position()];
    to.flip().get(bytes);
    return bytes;
  }

  /**
   * Reads what {@link #encode} has written.
   *
   * @throws IllegalArgumentException if it is something else
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
      Placements placements = Placements.decode(from);
      return new ClusterConfiguration(version, map, nodes, removals, schema, placements);
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
        + placements
        + ", removed "
        + removals
        + ", schema "
        + schema;
  }
}
