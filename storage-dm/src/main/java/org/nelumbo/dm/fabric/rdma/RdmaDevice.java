package org.nelumbo.dm.fabric.rdma;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * An open RDMA device, with one of its ports and one protection domain. Thread-safe. Closed after
 * all resources that were created with it.
 */
public final class RdmaDevice implements AutoCloseable {
  /** Length of {@code ibv_device_attr}, and offsets in it. */
  static final int ATTRIBUTES_LENGTH = 232;

  static final int REQUESTS_OFFSET = 112;
  static final int OUTSTANDING_HERE_OFFSET = 144;
  static final int OUTSTANDING_OFFSET = 156;
  static final int ATOMICS_OFFSET = 164;

  /** Length of {@code ibv_port_attr}, and offsets in it. */
  static final int PORT_LENGTH = 52;

  static final int PORT_STATE_OFFSET = 0;
  static final int PORT_MTU_OFFSET = 8;
  static final int PORT_GIDS_OFFSET = 12;
  static final int PORT_LID_OFFSET = 34;
  static final int PORT_LINK_OFFSET = 46;

  private static final int PORT_ACTIVE = 4;
  private static final int LINK_ETHERNET = 2;
  private static final int PORTS_MAX = 4;
  private static final int OUTSTANDING_MAX = 16;

  private static final int ACCESS_LOCAL_WRITE = 1;

  private static final int ACCESS_REMOTE = 2 | 4 | 8;

  private final VerbsLibrary library;
  private final String name;
  private final long context;
  private final ProtectionDomain domain;
  private int port;
  private int lid;
  private int mtu;
  private int gids;
  private GidEntry gid;
  private boolean isEthernet;
  private int requestsMax;
  private int outstanding;
  private int outstandingHere;
  private boolean hasAtomics;

  private RdmaDevice(
      VerbsLibrary library,
      String name,
      long context,
      int wantedGid,
      ProtectionDomain.Factory domains) {
    this.library = library;
    this.name = name;
    this.context = context;
    try (Arena arena = Arena.ofConfined()) {
      readLimits(arena.allocate(ATTRIBUTES_LENGTH, Long.BYTES).address());
      findPort(arena.allocate(PORT_LENGTH, Long.BYTES).address());
      findGid(arena.allocate(GidEntry.LENGTH, Long.BYTES).address(), wantedGid);
      this.domain = domains.open(context, gid);
    } catch (RuntimeException | Error e) {
      library.close(context);
      throw e;
    }
  }

  /**
   * Opens a device.
   *
   * @throws PoolOpenException if it is unusable; the message says what to do
   */
  public static RdmaDevice open(DeviceName wanted) {
    return open(wanted, (context, gid) -> new VerbsDomain(context));
  }

  /**
   * Opens a device whose memory regions and queue pairs another library creates.
   *
   * @throws PoolOpenException if it is unusable; the message says what to do
   */
  public static RdmaDevice open(DeviceName wanted, ProtectionDomain.Factory domains) {
    VerbsLibrary library = VerbsLibrary.load();
    List<String> found = new ArrayList<>();
    PoolOpenException unusable = null;
    try (Arena arena = Arena.ofConfined()) {
      long list = library.deviceList(arena.allocate(ValueLayout.JAVA_LONG).address());
      try {
        for (long at = list; NativeMemory.getLong(at) != 0; at += Long.BYTES) {
          long device = NativeMemory.getLong(at);
          String name = library.deviceName(device);
          found.add(name);
          if (wanted.name().isEmpty() || wanted.name().equals(name)) {
            try {
              return new RdmaDevice(
                  library, name, library.open(device), wanted.gidIndex(), domains);
            } catch (PoolOpenException e) {
              unusable = e;
            }
          }
        }
      } finally {
        library.freeDeviceList(list);
      }
    } catch (IllegalStateException e) {
      throw new PoolOpenException("RDMA cannot be used: " + e.getMessage(), e);
    }
    if (unusable != null) {
      throw unusable;
    }
    throw new PoolOpenException(
        found.isEmpty()
            ? "there is no RDMA device on this machine: ibv_devices lists the devices;"
                + " Soft-RoCE creates one from any network card (rdma link add rxe0 type rxe"
                + " netdev eth0)"
            : "there is no RDMA device " + wanted.name() + " on this machine, but " + found);
  }

  private void readLimits(long attributes) {
    library.queryDevice(context, attributes);
    requestsMax = NativeMemory.getInt(attributes + REQUESTS_OFFSET);
    outstanding = limited(NativeMemory.getInt(attributes + OUTSTANDING_OFFSET));
    outstandingHere = limited(NativeMemory.getInt(attributes + OUTSTANDING_HERE_OFFSET));
    hasAtomics = NativeMemory.getInt(attributes + ATOMICS_OFFSET) != 0;
    if (!hasAtomics || outstanding == 0 || outstandingHere == 0) {
      throw new PoolOpenException(
          "RDMA device " + name + " has no atomics, or no READs: it cannot be used");
    }
  }

  private static int limited(int requests) {
    return Math.clamp(requests, 0, OUTSTANDING_MAX);
  }

  private void findPort(long attributes) {
    for (int each = 1; each <= PORTS_MAX; each++) {
      if (library.queryPort(context, each, attributes)
          && NativeMemory.getInt(attributes + PORT_STATE_OFFSET) == PORT_ACTIVE) {
        port = each;
        mtu = NativeMemory.getInt(attributes + PORT_MTU_OFFSET);
        lid = NativeMemory.getShort(attributes + PORT_LID_OFFSET);
        isEthernet = NativeMemory.getByte(attributes + PORT_LINK_OFFSET) == LINK_ETHERNET;
        gids = NativeMemory.getInt(attributes + PORT_GIDS_OFFSET);
        return;
      }
    }
    throw new PoolOpenException(
        "RDMA device "
            + name
            + " has no active port (ibv_devinfo shows its state): connect its cable, or bring its"
            + " network interface up");
  }

  private void findGid(long entry, int wanted) {
    List<GidEntry> entries = new ArrayList<>();
    for (int index = 0; index < gids; index++) {
      if (library.queryGid(context, port, index, entry, GidEntry.LENGTH)) {
        entries.add(GidEntry.get(index, entry));
      }
    }
    gid = GidEntry.choose(name, entries, wanted, isEthernet);
  }

  /**
   * Registers memory, which stays pinned until the region is closed.
   *
   * @param isRemote true if the other sides of queue pairs may read and change the memory
   * @throws PoolOpenException if the system refuses
   */
  public MemoryRegion register(long address, long bytes, boolean isRemote) {
    int access = ACCESS_LOCAL_WRITE | (isRemote ? ACCESS_REMOTE : 0);
    try {
      return domain.register(address, bytes, access);
    } catch (IllegalStateException e) {
      throw new PoolOpenException(
          "RDMA device "
              + name
              + " cannot register "
              + bytes
              + " bytes: "
              + e.getMessage()
              + "; raise the limit on locked memory (ulimit -l unlimited, or memlock in"
              + " limits.conf), use less memory, and keep it in RAM, not in a file on a disk",
          e);
    }
  }

  /**
   * Creates a queue pair that is not connected yet.
   *
   * @param requests maximum number of outstanding requests; 1 for a queue pair that only responds
   * @param inlineBytes bytes of inline data in a request, if the device supports them
   * @param isServing true if the other side executes verbs on memory of this side
   * @param sequence first packet sequence number, of which 24 bits count
   * @throws PoolOpenException if the device has no queue pair left
   */
  public QueuePair createQueuePair(int requests, int inlineBytes, boolean isServing, int sequence) {
    try {
      NativeQueue queue = domain.createQueue(Math.min(requests, requestsMax), inlineBytes);
      return new QueuePair(library, this, queue, isServing, sequence);
    } catch (IllegalStateException e) {
      throw new PoolOpenException(
          "RDMA device " + name + " cannot create a queue pair: " + e.getMessage(), e);
    }
  }

  /** Returns the name as {@code ibv_devices} shows it. */
  public String name() {
    return name;
  }

  /** Returns the device with its port and GID for messages. */
  public String describe() {
    return name + " port " + port + " GID " + gid.index();
  }

  /** Returns the number of outstanding READs and atomics that a local queue pair can initiate. */
  int outstanding() {
    return outstanding;
  }

  int port() {
    return port;
  }

  int gidIndex() {
    return gid.index();
  }

  int mtu() {
    return mtu;
  }

  Endpoint endpoint(int number, int sequence) {
    return new Endpoint(number, sequence, gid.high(), gid.low(), lid, mtu, outstandingHere);
  }

  @Override
  public void close() {
    domain.close();
    library.close(context);
  }
}
