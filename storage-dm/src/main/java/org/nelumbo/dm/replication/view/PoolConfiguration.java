package org.nelumbo.dm.replication.view;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.agreement.AgreementEncoding;
import org.nelumbo.dm.layout.NodeHeaderLayout;

/**
 * The configuration of a pool on which its memory nodes agree: the latest view and the compute
 * nodes that use the pool. Encoded in little-endian order; a text is its length (2), then UTF-8:
 *
 * <pre>
 *  version (4) | pool id (8) | number of the view (8)
 *  number of memory nodes (2) | of each: incarnation (8), state (1), address (text)
 *  number of compute nodes (2) | of each: incarnation (8), name (text)
 * </pre>
 *
 * <p>The state of a memory node is out (0), live (1), or being filled while several compute nodes
 * share the pool (2). The version is 2 if a node is being filled, and 1 otherwise.
 *
 * @param view view number; it increases with each change of the live nodes and of the owner
 * @param nodes memory nodes in order of their numbers
 * @param members compute nodes that use the pool; the first one owns it, and is the only one at
 *     present
 */
public record PoolConfiguration(long poolId, long view, List<Node> nodes, List<Member> members) {
  private static final int VERSION = 2;
  private static final int VERSION_WITHOUT_FILLING = 1;
  private static final int OUT = 0;
  private static final int LIVE = 1;
  private static final int FILLING = 2;
  private static final int MEMBERS_MAX = 64;
  private static final int NAME_LENGTH_MAX = 256;

  public PoolConfiguration {
    nodes = List.copyOf(nodes);
    members = List.copyOf(members);
    if (nodes.isEmpty()
        || nodes.size() > NodeHeaderLayout.NODES_MAX
        || members.isEmpty()
        || members.size() > MEMBERS_MAX) {
      throw new IllegalArgumentException(
          "the configuration of a pool must have memory nodes and an owner nodes="
              + nodes.size()
              + " members="
              + members.size());
    }
  }

  /**
   * A memory node.
   *
   * @param address address for display
   * @param incarnation incarnation of the process that holds its memory
   * @param isLive true if it has every acknowledged write
   * @param isFilling true if all compute nodes that share the pool write to it, and one of them
   *     fills it
   */
  public record Node(String address, long incarnation, boolean isLive, boolean isFilling) {
    int state() {
      return isLive ? LIVE : isFilling ? FILLING : OUT;
    }
  }

  /**
   * A compute node.
   *
   * @param name name for display
   * @param incarnation identity at the memory nodes, drawn when the compute node attaches
   */
  public record Member(String name, long incarnation) {}

  /** Creates the configuration of a view and its owner. */
  public static PoolConfiguration of(
      long poolId, View view, long[] incarnations, List<String> addresses, Member owner) {
    List<Node> nodes = new ArrayList<>();
    for (int node = 0; node < view.placement().nodes(); node++) {
      nodes.add(new Node(addresses.get(node), incarnations[node], view.isLive(node), false));
    }
    return new PoolConfiguration(poolId, view.number(), nodes, List.of(owner));
  }

  /** Returns the compute node that owns the pool. */
  public Member owner() {
    return members.getFirst();
  }

  /**
   * Returns the memory node that is being filled while several compute nodes share the pool, or -1
   * if there is none.
   */
  public int filling() {
    for (int node = 0; node < nodes.size(); node++) {
      if (nodes.get(node).isFilling()) {
        return node;
      }
    }
    return -1;
  }

  /**
   * Returns the next configuration without some memory nodes, and with no node being filled.
   *
   * @param out nodes to exclude, one bit per node
   */
  public PoolConfiguration without(long number, long out) {
    List<Node> next = new ArrayList<>();
    for (int node = 0; node < nodes.size(); node++) {
      Node each = nodes.get(node);
      boolean isLive = each.isLive() && !NodeBits.has(out, node);
      next.add(new Node(each.address(), each.incarnation(), isLive, false));
    }
    return new PoolConfiguration(poolId, number, next, members);
  }

  /** Returns the next configuration, in which one more memory node is live or being filled. */
  public PoolConfiguration with(long number, int node, long incarnation, boolean isLive) {
    List<Node> next = new ArrayList<>(nodes);
    next.set(node, new Node(nodes.get(node).address(), incarnation, isLive, !isLive));
    return new PoolConfiguration(poolId, number, next, members);
  }

  /** Returns the view in the form in which the headers of memory nodes store it. */
  public ViewRecord record() {
    long[] incarnations = new long[nodes.size()];
    long live = 0;
    for (int node = 0; node < incarnations.length; node++) {
      incarnations[node] = nodes.get(node).incarnation();
      live |= nodes.get(node).isLive() ? 1L << node : 0;
    }
    return new ViewRecord(view, live, incarnations);
  }

  /**
   * Encodes the configuration. Long addresses and names are omitted if the result would be too
   * long.
   */
  public byte[] encode() {
    ByteBuffer to = ByteBuffer.allocate(64 << 10).order(ByteOrder.LITTLE_ENDIAN);
    encode(to, NAME_LENGTH_MAX);
    if (to.position() > AgreementEncoding.CONTENT_LENGTH_MAX) {
      encode(to.clear(), 0);
    }
    byte[] bytes = new byte[to.position()];
    to.flip().get(bytes);
    return bytes;
  }

  private void encode(ByteBuffer to, int lengthMax) {
    to.putInt(filling() < 0 ? VERSION_WITHOUT_FILLING : VERSION).putLong(poolId).putLong(view);
    to.putShort((short) nodes.size());
    for (Node node : nodes) {
      to.putLong(node.incarnation()).put((byte) node.state());
      putText(to, node.address(), lengthMax);
    }
    to.putShort((short) members.size());
    for (Member member : members) {
      to.putLong(member.incarnation());
      putText(to, member.name(), lengthMax);
    }
  }

  private static void putText(ByteBuffer to, String text, int lengthMax) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = bytes.length > lengthMax ? 0 : bytes.length;
    to.putShort((short) length).put(bytes, 0, length);
  }

  /**
   * Decodes the result of {@link #encode()}.
   *
   * @throws IllegalArgumentException if the bytes are no configuration, or one of a later version
   */
  public static PoolConfiguration decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try {
      int version = from.getInt();
      if (version < VERSION_WITHOUT_FILLING || version > VERSION) {
        throw new IllegalArgumentException(
            "the configuration of the pool has version "
                + version
                + ", this version of Nelumbo reads 1 and "
                + VERSION);
      }
      long poolId = from.getLong();
      long view = from.getLong();
      List<Node> nodes = new ArrayList<>();
      for (int left = from.getShort(); left > 0; left--) {
        long incarnation = from.getLong();
        int state = from.get();
        nodes.add(new Node(getText(from), incarnation, state == LIVE, state == FILLING));
      }
      List<Member> members = new ArrayList<>();
      for (int left = from.getShort(); left > 0; left--) {
        long incarnation = from.getLong();
        members.add(new Member(getText(from), incarnation));
      }
      return new PoolConfiguration(poolId, view, nodes, members);
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("the configuration of the pool ends too early", e);
    }
  }

  private static String getText(ByteBuffer from) {
    int length = from.getShort();
    if (length < 0 || length > from.remaining()) {
      throw new IllegalArgumentException("a text is longer than the configuration of the pool");
    }
    byte[] bytes = new byte[length];
    from.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
