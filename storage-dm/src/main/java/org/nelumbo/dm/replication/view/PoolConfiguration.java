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
 * Configuration of a pool, on which its memory nodes agree: the latest view, and who works with the
 * pool. Encoded, little-endian; a text is its length (2), then UTF-8:
 *
 * <pre>
 *   version (4) | pool id (8) | number of the view (8)
 *   number of memory nodes (2) | of each: incarnation (8), 1 if it is live (1), address (text)
 *   number of compute nodes (2) | of each: incarnation (8), name (text)
 * </pre>
 *
 * @param view its number; it grows with each change of the live nodes and of the owner
 * @param nodes the memory nodes, in order
 * @param members compute nodes that work with the pool; the first one owns it. One so far
 */
public record PoolConfiguration(long poolId, long view, List<Node> nodes, List<Member> members) {
  private static final int VERSION = 1;
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
          "a configuration of a pool has memory nodes and an owner nodes="
              + nodes.size()
              + " members="
              + members.size());
    }
  }

  /**
   * A memory node.
   *
   * @param address for people
   * @param incarnation of the process that has its memory
   * @param isLive whether it has every write that was acknowledged
   */
  public record Node(String address, long incarnation, boolean isLive) {}

  /**
   * A compute node.
   *
   * @param name for people
   * @param incarnation by which memory nodes know it; drawn when it attaches
   */
  public record Member(String name, long incarnation) {}

  /** The configuration with a view. */
  public static PoolConfiguration of(
      long poolId, View view, long[] incarnations, List<String> addresses, Member owner) {
    List<Node> nodes = new ArrayList<>();
    for (int node = 0; node < view.placement().nodes(); node++) {
      nodes.add(new Node(addresses.get(node), incarnations[node], view.isLive(node)));
    }
    return new PoolConfiguration(poolId, view.number(), nodes, List.of(owner));
  }

  /** The compute node that has the pool. */
  public Member owner() {
    return members.getFirst();
  }

  /** The view, as headers of memory nodes have it. */
  public ViewRecord record() {
    long[] incarnations = new long[nodes.size()];
    long live = 0;
    for (int node = 0; node < incarnations.length; node++) {
      incarnations[node] = nodes.get(node).incarnation();
      live |= nodes.get(node).isLive() ? 1L << node : 0;
    }
    return new ViewRecord(view, live, incarnations);
  }

  /** Encodes it; long addresses and names are left out if there is no room for all. */
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
    to.putInt(VERSION).putLong(poolId).putLong(view);
    to.putShort((short) nodes.size());
    for (Node node : nodes) {
      to.putLong(node.incarnation()).put((byte) (node.isLive() ? 1 : 0));
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
   * Reads what {@link #encode()} has written.
   *
   * @throws IllegalArgumentException if it is no configuration, or one of a later version
   */
  public static PoolConfiguration decode(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    try {
      int version = from.getInt();
      if (version != VERSION) {
        throw new IllegalArgumentException(
            "the configuration of the pool has version "
                + version
                + ", this version of Nelumbo reads "
                + VERSION);
      }
      long poolId = from.getLong();
      long view = from.getLong();
      List<Node> nodes = new ArrayList<>();
      for (int left = from.getShort(); left > 0; left--) {
        long incarnation = from.getLong();
        boolean isLive = from.get() != 0;
        nodes.add(new Node(getText(from), incarnation, isLive));
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
