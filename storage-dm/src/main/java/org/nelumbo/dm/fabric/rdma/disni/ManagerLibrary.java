package org.nelumbo.dm.fabric.rdma.disni;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.nelumbo.dm.fabric.rdma.NativeCalls;
import org.nelumbo.dm.fabric.rdma.NativeMemory;

/**
 * The functions of librdmacm, and those of libibverbs that DiSNI has and the engine has no use for.
 * Pointers are absolute addresses. What fails is an {@link IllegalStateException}.
 */
final class ManagerLibrary {
  /** In {@code rdma_event_channel} and {@code ibv_comp_channel}. */
  static final int EVENTS_FD_OFFSET = 0;

  static final int COMPLETION_CHANNEL_FD_OFFSET = 8;

  /** In {@code ibv_context}. */
  static final int NOTIFY_OFFSET = 104;

  static final int RECEIVE_OFFSET = 216;

  private static final String MANAGER = "librdmacm.so.1";
  private static final String VERBS = "libibverbs.so.1";
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final Linker LINKER = Linker.nativeLinker();

  /** {@code struct pollfd}: the descriptor, what is waited for (2 bytes), what is there. */
  private static final int POLL_LENGTH = 8;

  private static final int POLL_EVENTS_OFFSET = 4;
  private static final int POLL_READABLE = 1;

  /** Takes the function's address first, since each driver has its own. */
  private static final MethodHandle RECEIVE =
      LINKER.downcallHandle(FunctionDescriptor.of(INT, LONG, LONG, LONG));

  private static final MethodHandle NOTIFY =
      LINKER.downcallHandle(FunctionDescriptor.of(INT, LONG, INT));

  private static volatile ManagerLibrary loaded;

  private final MethodHandle createEvents;
  private final MethodHandle destroyEvents;
  private final MethodHandle createId;
  private final MethodHandle destroyId;
  private final MethodHandle bind;
  private final MethodHandle listen;
  private final MethodHandle resolveAddress;
  private final MethodHandle resolveRoute;
  private final MethodHandle connect;
  private final MethodHandle accept;
  private final MethodHandle disconnect;
  private final MethodHandle getEvent;
  private final MethodHandle acknowledgeEvent;
  private final MethodHandle createQueuePair;
  private final MethodHandle destroyQueuePair;
  private final MethodHandle destroyEndpoint;
  private final MethodHandle createChannel;
  private final MethodHandle destroyChannel;
  private final MethodHandle getCompletionEvent;
  private final MethodHandle acknowledgeCompletions;
  private final MethodHandle poll;

  private ManagerLibrary(SymbolLookup manager, SymbolLookup verbs) {
    FunctionDescriptor one = FunctionDescriptor.of(INT, LONG);
    FunctionDescriptor two = FunctionDescriptor.of(INT, LONG, LONG);
    FunctionDescriptor number = FunctionDescriptor.of(INT, LONG, INT);
    createEvents =
        NativeCalls.handle(manager, "rdma_create_event_channel", FunctionDescriptor.of(LONG));
    destroyEvents =
        NativeCalls.handle(manager, "rdma_destroy_event_channel", FunctionDescriptor.ofVoid(LONG));
    createId =
        NativeCalls.handle(
            manager, "rdma_create_id", FunctionDescriptor.of(INT, LONG, LONG, LONG, INT));
    destroyId = NativeCalls.handle(manager, "rdma_destroy_id", one);
    bind = NativeCalls.handle(manager, "rdma_bind_addr", two);
    listen = NativeCalls.handle(manager, "rdma_listen", number);
    resolveAddress =
        NativeCalls.handle(
            manager, "rdma_resolve_addr", FunctionDescriptor.of(INT, LONG, LONG, LONG, INT));
    resolveRoute = NativeCalls.handle(manager, "rdma_resolve_route", number);
    connect = NativeCalls.handle(manager, "rdma_connect", two);
    accept = NativeCalls.handle(manager, "rdma_accept", two);
    disconnect = NativeCalls.handle(manager, "rdma_disconnect", one);
    getEvent = NativeCalls.handle(manager, "rdma_get_cm_event", two);
    acknowledgeEvent = NativeCalls.handle(manager, "rdma_ack_cm_event", one);
    createQueuePair =
        NativeCalls.handle(manager, "rdma_create_qp", FunctionDescriptor.of(INT, LONG, LONG, LONG));
    destroyQueuePair =
        NativeCalls.handle(manager, "rdma_destroy_qp", FunctionDescriptor.ofVoid(LONG));
    destroyEndpoint =
        NativeCalls.handle(manager, "rdma_destroy_ep", FunctionDescriptor.ofVoid(LONG));
    createChannel =
        NativeCalls.handle(verbs, "ibv_create_comp_channel", FunctionDescriptor.of(LONG, LONG));
    destroyChannel = NativeCalls.handle(verbs, "ibv_destroy_comp_channel", one);
    getCompletionEvent =
        NativeCalls.handle(verbs, "ibv_get_cq_event", FunctionDescriptor.of(INT, LONG, LONG, LONG));
    acknowledgeCompletions =
        NativeCalls.handle(verbs, "ibv_ack_cq_events", FunctionDescriptor.ofVoid(LONG, INT));
    poll =
        NativeCalls.handle(
            LINKER.defaultLookup(), "poll", FunctionDescriptor.of(INT, LONG, LONG, INT));
  }

  /**
   * The library.
   *
   * @throws IllegalStateException if it is not there
   */
  static ManagerLibrary load() {
    ManagerLibrary library = loaded;
    if (library == null) {
      try {
        library =
            new ManagerLibrary(
                SymbolLookup.libraryLookup(MANAGER, Arena.global()),
                SymbolLookup.libraryLookup(VERBS, Arena.global()));
      } catch (IllegalArgumentException e) {
        throw new IllegalStateException(
            "DiSNI needs " + MANAGER + " of rdma-core (in Debian: librdmacm1): " + e.getMessage(),
            e);
      }
      loaded = library;
    }
    return library;
  }

  long createEvents() {
    return NativeCalls.pointer(
        "there is no connection manager (are the kernel's modules there? modprobe rdma_ucm)",
        state -> (long) createEvents.invokeExact(state));
  }

  void destroyEvents(long events) {
    NativeCalls.result(
        state -> {
          destroyEvents.invokeExact(state, events);
          return 0;
        });
  }

  /** Makes an {@code rdma_cm_id} and returns it. */
  long createId(long events, int space) {
    try (Arena arena = Arena.ofConfined()) {
      long result = arena.allocate(LONG).address();
      NativeCalls.check(
          "an identifier of a connection cannot be made",
          state -> (int) createId.invokeExact(state, events, result, 0L, space));
      return NativeMemory.getLong(result);
    }
  }

  void destroyId(long id) {
    NativeCalls.check(
        "an identifier of a connection cannot be freed",
        state -> (int) destroyId.invokeExact(state, id));
  }

  void bind(long id, long address) {
    NativeCalls.check(
        "no RDMA device has this address", state -> (int) bind.invokeExact(state, id, address));
  }

  void listen(long id, int backlog) {
    NativeCalls.check("cannot listen", state -> (int) listen.invokeExact(state, id, backlog));
  }

  /** Begins to look for the device that leads to an address; {@code source} 0: any. */
  void resolveAddress(long id, long source, long target, int millis) {
    NativeCalls.check(
        "the address cannot be resolved",
        state -> (int) resolveAddress.invokeExact(state, id, source, target, millis));
  }

  void resolveRoute(long id, int millis) {
    NativeCalls.check(
        "no route is looked for", state -> (int) resolveRoute.invokeExact(state, id, millis));
  }

  void connect(long id, long parameters) {
    NativeCalls.check("cannot connect", state -> (int) connect.invokeExact(state, id, parameters));
  }

  void accept(long id, long parameters) {
    NativeCalls.check(
        "cannot accept a connection", state -> (int) accept.invokeExact(state, id, parameters));
  }

  void disconnect(long id) {
    NativeCalls.check("cannot disconnect", state -> (int) disconnect.invokeExact(state, id));
  }

  /** Waits for an {@code rdma_cm_event} and returns it; it has to be acknowledged. */
  long getEvent(long events) {
    try (Arena arena = Arena.ofConfined()) {
      long result = arena.allocate(LONG).address();
      NativeCalls.check(
          "no event can be taken", state -> (int) getEvent.invokeExact(state, events, result));
      return NativeMemory.getLong(result);
    }
  }

  void acknowledgeEvent(long event) {
    NativeCalls.check(
        "an event cannot be acknowledged",
        state -> (int) acknowledgeEvent.invokeExact(state, event));
  }

  /** Makes the queue pair of a connection. */
  void createQueuePair(long id, long domain, long settings) {
    NativeCalls.check(
        "the device has no queue pair left, or none of this size",
        state -> (int) createQueuePair.invokeExact(state, id, domain, settings));
  }

  void destroyQueuePair(long id) {
    NativeCalls.result(
        state -> {
          destroyQueuePair.invokeExact(state, id);
          return 0;
        });
  }

  /** Frees an identifier and its queue pair. */
  void destroyEndpoint(long id) {
    NativeCalls.result(
        state -> {
          destroyEndpoint.invokeExact(state, id);
          return 0;
        });
  }

  long createChannel(long context) {
    return NativeCalls.pointer(
        "the device has no channel of completions left",
        state -> (long) createChannel.invokeExact(state, context));
  }

  void destroyChannel(long channel) {
    NativeCalls.check(
        "a channel of completions cannot be freed",
        state -> (int) destroyChannel.invokeExact(state, channel));
  }

  /** Takes an event of a channel of completions, which is there. */
  void getCompletionEvent(long channel) {
    try (Arena arena = Arena.ofConfined()) {
      long queue = arena.allocate(LONG).address();
      long context = arena.allocate(LONG).address();
      NativeCalls.check(
          "no event can be taken",
          state -> (int) getCompletionEvent.invokeExact(state, channel, queue, context));
    }
  }

  void acknowledgeCompletions(long completions, int events) {
    NativeCalls.result(
        state -> {
          acknowledgeCompletions.invokeExact(state, completions, events);
          return 0;
        });
  }

  /** Waits until a descriptor can be read; whether it can. */
  boolean awaitReadable(int descriptor, int millis) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment waited = arena.allocate(POLL_LENGTH, Integer.BYTES);
      waited.set(INT, 0, descriptor);
      waited.set(ValueLayout.JAVA_SHORT, POLL_EVENTS_OFFSET, (short) POLL_READABLE);
      int ready =
          NativeCalls.result(state -> (int) poll.invokeExact(state, waited.address(), 1L, millis));
      return ready == 1;
    }
  }

  /** Posts a list of {@code ibv_recv_wr}; returns 0, or an error number. */
  static int receive(MemorySegment function, long queuePair, long first, long refused) {
    try {
      return (int) RECEIVE.invokeExact(function, queuePair, first, refused);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Asks for an event with the next completion; returns 0, or an error number. */
  static int notify(MemorySegment function, long completions, int onlySolicited) {
    try {
      return (int) NOTIFY.invokeExact(function, completions, onlySolicited);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
