package org.nelumbo.dm.fabric.rdma;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * An entry in the GID table of a port, {@code ibv_gid_entry}: one address of the port.
 *
 * @param index index in the table
 * @param type kind of network
 * @param high first half of the address; 0 for an IPv4 address
 * @param low second half of the address
 */
public record GidEntry(int index, int type, long high, long low) {
  static final int LENGTH = 32;
  static final int TYPE_OFFSET = 24;

  static final int INFINIBAND = 0;
  static final int ROCE_1 = 1;
  static final int ROCE_2 = 2;

  /** Reads an entry that the device has written. */
  static GidEntry get(int index, long entry) {
    return new GidEntry(
        index,
        NativeMemory.getInt(entry + TYPE_OFFSET),
        NativeMemory.getLong(entry),
        NativeMemory.getLong(entry + Long.BYTES));
  }

  /**
   * Returns the requested entry or, if none is requested, the first of RoCE version 2 (on
   * InfiniBand, the first of that type). IPv4 addresses are preferred.
   *
   * @param device name of the device for messages
   * @param entries entries of the table
   * @param wanted index of the requested entry; -1 for any
   * @throws PoolOpenException if no entry is usable; the message lists the usable ones
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

  /** Returns the network address that the GID represents. */
  public InetAddress host() {
    ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.nativeOrder());
    bytes.putLong(high).putLong(low);
    try {
      return InetAddress.getByAddress(bytes.array());
    } catch (UnknownHostException e) {
      throw new AssertionError(e); // the array has the length of an address
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
        + ": use one of "
        + usable
        + ", or omit the GID; ibv_devinfo -v shows them";
  }
}
