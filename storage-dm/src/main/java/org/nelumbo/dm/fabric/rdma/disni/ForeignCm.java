package org.nelumbo.dm.fabric.rdma.disni;

import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.impl.NatCmaIdPrivate;
import com.ibm.disni.verbs.impl.NatIbvContext;
import com.ibm.disni.verbs.impl.NatIbvQP;
import com.ibm.disni.verbs.impl.NatRdmaEventChannel;
import com.ibm.disni.verbs.impl.RdmaCmNat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.nelumbo.dm.fabric.rdma.NativeCalls;
import org.nelumbo.dm.fabric.rdma.NativeMemory;
import org.nelumbo.dm.fabric.rdma.QueuePairSettings;

/**
 * Connection identifiers of librdmacm, which are bound and own queue pairs, but are never
 * connected. As thread-safe as the library.
 */
final class ForeignCm extends RdmaCmNat {
  /** Offsets in {@code rdma_cm_id}. */
  static final int CONTEXT_OFFSET = 0;

  static final int QUEUE_PAIR_OFFSET = 24;

  private static final String NAME = "librdmacm.so.1";
  private static final int NO_DESCRIPTOR = -1;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  private final MethodHandle createEvents;
  private final MethodHandle destroyEvents;
  private final MethodHandle createId;
  private final MethodHandle destroyId;
  private final MethodHandle bind;
  private final MethodHandle createQueuePair;
  private final MethodHandle destroyQueuePair;

  /**
   * Loads the library.
   *
   * @throws IOException if it is not installed
   */
  ForeignCm() throws IOException {
    super(null);
    try {
      SymbolLookup lookup = SymbolLookup.libraryLookup(NAME, Arena.global());
      FunctionDescriptor ofOne = FunctionDescriptor.ofVoid(LONG);
      createEvents =
          NativeCalls.handle(lookup, "rdma_create_event_channel", FunctionDescriptor.of(LONG));
      destroyEvents = NativeCalls.handle(lookup, "rdma_destroy_event_channel", ofOne);
      createId =
          NativeCalls.handle(
              lookup, "rdma_create_id", FunctionDescriptor.of(INT, LONG, LONG, LONG, INT));
      destroyId = NativeCalls.handle(lookup, "rdma_destroy_id", FunctionDescriptor.of(INT, LONG));
      bind = NativeCalls.handle(lookup, "rdma_bind_addr", FunctionDescriptor.of(INT, LONG, LONG));
      createQueuePair =
          NativeCalls.handle(
              lookup, "rdma_create_qp", FunctionDescriptor.of(INT, LONG, LONG, LONG));
      destroyQueuePair = NativeCalls.handle(lookup, "rdma_destroy_qp", ofOne);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "it needs " + NAME + " of rdma-core (in Debian: librdmacm1): " + e.getMessage(), e);
    }
  }

  @Override
  public RdmaEventChannel createEventChannel() throws IOException {
    long events =
        NativeCalls.pointer(
            "there is no connection manager (are the kernel modules loaded? modprobe rdma_ucm)",
            state -> (long) createEvents.invokeExact(state));
    return new NatRdmaEventChannel(events, NO_DESCRIPTOR);
  }

  @Override
  public int destroyEventChannel(RdmaEventChannel channel) {
    long events = NativeAddress.of(channel);
    return NativeCalls.result(
        state -> {
          destroyEvents.invokeExact(state, events);
          return 0;
        });
  }

  @Override
  public RdmaCmId createId(RdmaEventChannel channel, short space) throws IOException {
    long events = NativeAddress.of(channel);
    try (Arena arena = Arena.ofConfined()) {
      long made = arena.allocate(LONG).address();
      NativeCalls.check(
          "a connection identifier cannot be created",
          state -> (int) createId.invokeExact(state, events, made, 0L, (int) space));
      return new NatCmaIdPrivate(NativeMemory.getLong(made), channel, null);
    }
  }

  /** Binds an identifier to an address, which selects the device. */
  @Override
  public void bindAddr(RdmaCmId id, SocketAddress address) throws IOException {
    long bound = NativeAddress.of(id);
    try (Arena arena = Arena.ofConfined()) {
      long name = SocketName.encode(arena, (InetSocketAddress) address).address();
      NativeCalls.check(
          "no RDMA device has this address", state -> (int) bind.invokeExact(state, bound, name));
    }
    long context = NativeMemory.getLong(bound + CONTEXT_OFFSET);
    ((NatCmaIdPrivate) id).setVerbs(new NatIbvContext(context, null));
  }

  @Override
  public int destroyCmId(RdmaCmId id) {
    long bound = NativeAddress.of(id);
    NativeCalls.check(
        "a connection identifier cannot be freed",
        state -> (int) destroyId.invokeExact(state, bound));
    return 0;
  }

  @Override
  public IbvQP createQP(RdmaCmId id, IbvPd protection, IbvQPInitAttr wanted) throws IOException {
    long owner = NativeAddress.of(id);
    long domain = NativeAddress.of(protection);
    try (Arena arena = Arena.ofConfined()) {
      long settings = arena.allocate(QueuePairSettings.LENGTH, Long.BYTES).address();
      QueuePairSettings.set(
          settings,
          NativeAddress.of(wanted.getSend_cq()),
          wanted.cap().getMax_send_wr(),
          wanted.cap().getMax_inline_data());
      NativeCalls.check(
          "the device has no queue pair of this size left",
          state -> (int) createQueuePair.invokeExact(state, owner, domain, settings));
    }
    return new NatIbvQP(NativeMemory.getLong(owner + QUEUE_PAIR_OFFSET), null);
  }

  @Override
  public int destroyQP(RdmaCmId id) {
    long owner = NativeAddress.of(id);
    return NativeCalls.result(
        state -> {
          destroyQueuePair.invokeExact(state, owner);
          return 0;
        });
  }
}
