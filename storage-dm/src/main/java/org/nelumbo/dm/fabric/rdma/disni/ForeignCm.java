package org.nelumbo.dm.fabric.rdma.disni;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.impl.NatObject;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.nelumbo.dm.fabric.rdma.NativeMemory;
import org.nelumbo.dm.fabric.rdma.QueuePairSettings;

/** Connections by librdmacm, as DiSNI has them. Thread-safe as far as the library is. */
final class ForeignCm extends RdmaCm {
  /** In {@code rdma_cm_id}. */
  static final int CONTEXT_OFFSET = 0;

  static final int QUEUE_PAIR_OFFSET = 24;
  static final int SOURCE_OFFSET = 32;
  static final int TARGET_OFFSET = 160;

  /** In {@code rdma_cm_event}. */
  static final int EVENT_ID_OFFSET = 0;

  static final int EVENT_LISTENING_ID_OFFSET = 8;
  static final int EVENT_KIND_OFFSET = 16;

  /** In {@code rdma_conn_param}. */
  static final int PARAMETERS_LENGTH = 24;

  static final int DATA_OFFSET = 0;
  static final int DATA_LENGTH_OFFSET = 8;
  static final int OUTSTANDING_HERE_OFFSET = 9;
  static final int OUTSTANDING_OFFSET = 10;
  static final int RETRIES_OFFSET = 12;
  static final int NOT_READY_RETRIES_OFFSET = 13;

  /** As many READs and atomics as the device can have under way. */
  private static final int OUTSTANDING_MAX = 255;

  /** Elements of a request: as DiSNI's library has it. */
  private static final int ELEMENTS = 4;

  /** What a function of the library does. */
  private interface Action {
    void run(ManagerLibrary library);
  }

  /** A channel of events, with the identifiers that belong to it. */
  private static final class Events extends RdmaEventChannel implements NatObject {
    private final long address;
    private final Map<Long, Id> ids = new ConcurrentHashMap<>();

    Events(long address) throws IOException {
      super(NativeMemory.getInt(address + ManagerLibrary.EVENTS_FD_OFFSET));
      this.address = address;
    }

    @Override
    public long getObjId() {
      return address;
    }
  }

  /** An identifier of a connection, {@code rdma_cm_id}. */
  private static final class Id extends RdmaCmId implements NatObject {
    private final long address;
    private final Events events;

    Id(Events events, long address) throws IOException {
      super(events, null);
      this.events = events;
      this.address = address;
      events.ids.put(address, this);
    }

    /** The device that it was bound to, or found by its route; null if none yet. */
    @Override
    public IbvContext getVerbs() throws IOException {
      if (super.getVerbs() == null && isOpen()) {
        long context = NativeMemory.getLong(address + CONTEXT_OFFSET);
        if (context != 0) {
          setVerbs(new ForeignVerbs.Context(context));
        }
      }
      return super.getVerbs();
    }

    void queuePair(IbvQP made) {
      setQp(made);
    }

    void forget() {
      close();
      events.ids.remove(address);
    }

    @Override
    public long getObjId() {
      return address;
    }
  }

  private static void run(Action action) throws IOException {
    try {
      action.run(ManagerLibrary.load());
    } catch (IllegalStateException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** The address of what is open. */
  private static long open(RdmaCmId id) throws IOException {
    if (!id.isOpen()) {
      throw new IOException("the identifier of the connection is closed");
    }
    return ((Id) id).address;
  }

  private static Events open(RdmaEventChannel channel) throws IOException {
    if (!channel.isOpen()) {
      throw new IOException("the channel of events is closed");
    }
    return (Events) channel;
  }

  @Override
  public RdmaEventChannel createEventChannel() throws IOException {
    try {
      return new Events(ManagerLibrary.load().createEvents());
    } catch (IllegalStateException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public RdmaCmId createId(RdmaEventChannel channel, short space) throws IOException {
    Events events = open(channel);
    try {
      return new Id(events, ManagerLibrary.load().createId(events.address, space));
    } catch (IllegalStateException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public IbvQP createQP(RdmaCmId id, IbvPd domain, IbvQPInitAttr wanted) throws IOException {
    long address = open(id);
    if (!domain.isOpen() || !wanted.getSend_cq().isOpen() || !wanted.getRecv_cq().isOpen()) {
      throw new IOException("the protection domain or a queue of completions is closed");
    }
    try (Arena arena = Arena.ofConfined()) {
      long settings = arena.allocate(QueuePairSettings.LENGTH, Long.BYTES).address();
      QueuePairSettings.setQueues(
          settings,
          ((NatObject) wanted.getSend_cq()).getObjId(),
          ((NatObject) wanted.getRecv_cq()).getObjId());
      QueuePairSettings.setLimits(
          settings,
          wanted.cap().getMax_send_wr(),
          wanted.cap().getMax_recv_wr(),
          ELEMENTS,
          wanted.cap().getMax_inline_data());
      QueuePairSettings.setType(settings, wanted.getQp_type(), wanted.getSq_sig_all());
      run(library -> library.createQueuePair(address, ((NatObject) domain).getObjId(), settings));
    }
    ForeignVerbs.QueuePairObject made =
        new ForeignVerbs.QueuePairObject(
            NativeMemory.getLong(address + QUEUE_PAIR_OFFSET), domain, wanted);
    ((Id) id).queuePair(made);
    return made;
  }

  @Override
  public void bindAddr(RdmaCmId id, SocketAddress address) throws IOException {
    long opened = open(id);
    try (Arena arena = Arena.ofConfined()) {
      long encoded = SocketName.encode(arena, address).address();
      run(library -> library.bind(opened, encoded));
    }
  }

  @Override
  public void listen(RdmaCmId id, int backlog) throws IOException {
    long address = open(id);
    run(library -> library.listen(address, backlog));
  }

  @Override
  public void resolveAddr(RdmaCmId id, SocketAddress source, SocketAddress target, int millis)
      throws IOException {
    long address = open(id);
    try (Arena arena = Arena.ofConfined()) {
      long from = source == null ? 0 : SocketName.encode(arena, source).address();
      long to = SocketName.encode(arena, target).address();
      run(library -> library.resolveAddress(address, from, to, millis));
    }
  }

  @Override
  public void resolveRoute(RdmaCmId id, int millis) throws IOException {
    long address = open(id);
    run(library -> library.resolveRoute(address, millis));
  }

  /** The next event, which is acknowledged; null if there is none within the time. */
  @Override
  public RdmaCmEvent getCmEvent(RdmaEventChannel channel, int millis) throws IOException {
    Events events = open(channel);
    try {
      ManagerLibrary library = ManagerLibrary.load();
      if (!library.awaitReadable(events.getFd(), millis)) {
        return null;
      }
      long event = library.getEvent(events.address);
      int kind = NativeMemory.getInt(event + EVENT_KIND_OFFSET);
      long about = NativeMemory.getLong(event + EVENT_ID_OFFSET);
      Id listening = events.ids.get(NativeMemory.getLong(event + EVENT_LISTENING_ID_OFFSET));
      library.acknowledgeEvent(event);
      Id id = events.ids.get(about);
      if (kind == RdmaCmEvent.EventType.RDMA_CM_EVENT_CONNECT_REQUEST.ordinal()) {
        id = new Id(events, about);
      }
      return new RdmaCmEvent(kind, listening, id);
    } catch (IllegalStateException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static long parameters(Arena arena, RdmaConnParam wanted) {
    long parameters = arena.allocate(PARAMETERS_LENGTH, Long.BYTES).address();
    NativeMemory.putByte(parameters + OUTSTANDING_HERE_OFFSET, OUTSTANDING_MAX);
    NativeMemory.putByte(parameters + OUTSTANDING_OFFSET, OUTSTANDING_MAX);
    NativeMemory.putByte(parameters + RETRIES_OFFSET, wanted.getRetry_count());
    NativeMemory.putByte(parameters + NOT_READY_RETRIES_OFFSET, wanted.getRnr_retry_count());
    return parameters;
  }

  @Override
  public void connect(RdmaCmId id, RdmaConnParam wanted) throws IOException {
    long address = open(id);
    try (Arena arena = Arena.ofConfined()) {
      long parameters = parameters(arena, wanted);
      NativeMemory.putLong(parameters + DATA_OFFSET, wanted.getPrivate_data());
      NativeMemory.putByte(parameters + DATA_LENGTH_OFFSET, wanted.getPrivate_data_len());
      run(library -> library.connect(address, parameters));
    }
  }

  @Override
  public void accept(RdmaCmId id, RdmaConnParam wanted) throws IOException {
    long address = open(id);
    try (Arena arena = Arena.ofConfined()) {
      long parameters = parameters(arena, wanted);
      run(library -> library.accept(address, parameters));
    }
  }

  /** Events are acknowledged as they are taken. */
  @Override
  public int ackCmEvent(RdmaCmEvent event) {
    return 0;
  }

  @Override
  public int disconnect(RdmaCmId id) throws IOException {
    long address = open(id);
    run(library -> library.disconnect(address));
    return 0;
  }

  @Override
  public int destroyEventChannel(RdmaEventChannel channel) throws IOException {
    Events events = open(channel);
    events.close();
    run(library -> library.destroyEvents(events.address));
    return 0;
  }

  @Override
  public int destroyCmId(RdmaCmId id) throws IOException {
    long address = open(id);
    ((Id) id).forget();
    run(library -> library.destroyId(address));
    return 0;
  }

  @Override
  public int destroyQP(RdmaCmId id) throws IOException {
    long address = open(id);
    IbvQP queuePair = id.getQp();
    if (queuePair == null || !queuePair.isOpen()) {
      throw new IOException("there is no queue pair, or it is closed");
    }
    queuePair.close();
    run(library -> library.destroyQueuePair(address));
    return 0;
  }

  @Override
  public SocketAddress getSrcAddr(RdmaCmId id) throws IOException {
    return SocketName.decode(open(id) + SOURCE_OFFSET);
  }

  @Override
  public SocketAddress getDstAddr(RdmaCmId id) throws IOException {
    return SocketName.decode(open(id) + TARGET_OFFSET);
  }

  @Override
  public int destroyEp(RdmaCmId id) throws IOException {
    long address = open(id);
    ((Id) id).forget();
    run(library -> library.destroyEndpoint(address));
    return 0;
  }
}
