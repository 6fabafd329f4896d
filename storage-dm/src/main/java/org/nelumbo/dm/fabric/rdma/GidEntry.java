package org.nelumbo.dm.fabric.rdma;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * An entry in the table of GIDs of a port: an address that it has, {@code ibv_gid_entry}.
 *
 * @param index of it in the table
 * @param type kind of network
 * @param high first half of the address; 0 if it is one of IPv4
 * @param low second half
 */
public record GidEntry(int index, int type, long high, long low) {
  static final int LENGTH = 32;
  static final int TYPE_OFFSET = 24;

  static final int INFINIBAND = 0;
  static final int ROCE_1 = 1;
  static final int ROCE_2 = 2;

  /** Takes what the device has set. */
  static GidEntry get(int index, long entry) {
    return new GidEntry(
        index,
        NativeMemory.getInt(entry + TYPE_OFFSET),
        NativeMemory.getLong(entry),
        NativeMemory.getLong(entry + Long.BYTES));
  }

  /**
   * The wanted entry; or the first of RoCE version 2 (on InfiniBand, of that), one of IPv4 before
   * others.
   *
   * @param device for messages
   * @param entries that are there
   * @param wanted index of the wanted one; -1: any
   * @throws PoolOpenException if there is none that can be used; it says which can
   */
  static GidEntry choose(String device, List<GidEntry> entries, int wanted, boolean isEthernet) {
    GidEntry best = null;
    for (GidEntry each : entries) {
      boolean isBetter = best == null || each.high == 0 && best.high != 0;
      if (each.isUsable(isEthernet) && isBetter && (wanted < 0 || wanted == each.index)) {
        best = each;
      }
    }
    if (best == null) {
      throw new PoolOpenException(refusal(device, entries, wanted, isEthernet));
    }
    return best;
  }

  /** The network address that it stands for. */
  public InetAddress host() {
    ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.nativeOrder());
    bytes.putLong(high).putLong(low);
    try {
      return InetAddress.getByAddress(bytes.array());
    } catch (UnknownHostException e) {
      throw new AssertionError(e); // it has the length of an address
    }
  }

  private boolean isUsable(boolean isEthernet) {
    return type == (isEthernet ? ROCE_2 : INFINIBAND) && (high != 0 || low != 0);
  }

  private static String refusal(
      String device, List<GidEntry> entries, int wanted, boolean isEthernet) {
    List<Integer> usable =
        entries.stream().filter(each -> each.isUsable(isEthernet)).map(GidEntry::index).toList();
    if (usable.isEmpty()) {
      return "RDMA device "
          + device
          + (isEthernet
              ? " has no GID of RoCE version 2: give its network interface an IP address"
              : " has no GID: is a subnet manager running?")
          + "; ibv_devinfo -v shows its GIDs";
    }
    boolean isOld = entries.stream().anyMatch(each -> each.index == wanted && each.type == ROCE_1);
    return "GID "
        + wanted
        + " of RDMA device "
        + device
        + (isOld ? " is one of RoCE version 1, which is not used" : " cannot be used")
        + ": name one of "
        + usable
        + ", or none; ibv_devinfo -v shows them";
  }
}
