package org.nelumbo.dm.fabric.rdma;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * The functions of libibverbs that are called here. Pointers are absolute addresses. Posting and
 * polling are functions of the device's driver, which the library does not export: their addresses
 * are in the context of an open device.
 */
final class VerbsLibrary {
  /** In {@code ibv_context}: the function that takes completions from their queue. */
  static final int POLL_OFFSET = 96;

  /** In {@code ibv_context}: the function that posts requests. */
  static final int POST_OFFSET = 208;

  private static final String NAME = "libibverbs.so.1";
  private static final Linker LINKER = Linker.nativeLinker();
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final MemoryLayout ERRNO_LAYOUT = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      ERRNO_LAYOUT.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  /** Takes the function's address first, since each driver has its own. */
  private static final MethodHandle POST =
      LINKER.downcallHandle(FunctionDescriptor.of(INT, LONG, LONG, LONG));

  /** It neither blocks nor calls back, so the thread stays as it is. */
  private static final MethodHandle POLL =
      LINKER.downcallHandle(
          FunctionDescriptor.of(INT, LONG, INT, LONG), Linker.Option.critical(false));

  private static volatile VerbsLibrary loaded;

  private final MethodHandle getDeviceList;
  private final MethodHandle freeDeviceList;
  private final MethodHandle getDeviceName;
  private final MethodHandle openDevice;
  private final MethodHandle closeDevice;
  private final MethodHandle queryDevice;
  private final MethodHandle queryPort;
  private final MethodHandle queryGid;
  private final MethodHandle allocateDomain;
  private final MethodHandle freeDomain;
  private final MethodHandle register;
  private final MethodHandle deregister;
  private final MethodHandle createCompletions;
  private final MethodHandle destroyCompletions;
  private final MethodHandle createQueuePair;
  private final MethodHandle modifyQueuePair;
  private final MethodHandle destroyQueuePair;

  private VerbsLibrary(SymbolLookup lookup) {
    getDeviceList = handle(lookup, "ibv_get_device_list", FunctionDescriptor.of(LONG, LONG));
    freeDeviceList = handle(lookup, "ibv_free_device_list", FunctionDescriptor.ofVoid(LONG));
    getDeviceName = handle(lookup, "ibv_get_device_name", FunctionDescriptor.of(LONG, LONG));
    openDevice = handle(lookup, "ibv_open_device", FunctionDescriptor.of(LONG, LONG));
    closeDevice = handle(lookup, "ibv_close_device", FunctionDescriptor.of(INT, LONG));
    queryDevice = handle(lookup, "ibv_query_device", FunctionDescriptor.of(INT, LONG, LONG));
    queryPort = handle(lookup, "ibv_query_port", FunctionDescriptor.of(INT, LONG, BYTE, LONG));
    queryGid =
        handle(
            lookup,
            "_ibv_query_gid_ex",
            FunctionDescriptor.of(INT, LONG, INT, INT, LONG, INT, LONG));
    allocateDomain = handle(lookup, "ibv_alloc_pd", FunctionDescriptor.of(LONG, LONG));
    freeDomain = handle(lookup, "ibv_dealloc_pd", FunctionDescriptor.of(INT, LONG));
    register = handle(lookup, "ibv_reg_mr", FunctionDescriptor.of(LONG, LONG, LONG, LONG, INT));
    deregister = handle(lookup, "ibv_dereg_mr", FunctionDescriptor.of(INT, LONG));
    createCompletions =
        handle(lookup, "ibv_create_cq", FunctionDescriptor.of(LONG, LONG, INT, LONG, LONG, INT));
    destroyCompletions = handle(lookup, "ibv_destroy_cq", FunctionDescriptor.of(INT, LONG));
    createQueuePair = handle(lookup, "ibv_create_qp", FunctionDescriptor.of(LONG, LONG, LONG));
    modifyQueuePair = handle(lookup, "ibv_modify_qp", FunctionDescriptor.of(INT, LONG, LONG, INT));
    destroyQueuePair = handle(lookup, "ibv_destroy_qp", FunctionDescriptor.of(INT, LONG));
  }

  private static MethodHandle handle(
      SymbolLookup lookup, String name, FunctionDescriptor descriptor) {
    MemorySegment symbol =
        lookup
            .find(name)
            .orElseThrow(() -> new IllegalArgumentException("it has no function " + name));
    return LINKER.downcallHandle(symbol, descriptor, Linker.Option.captureCallState("errno"));
  }

  /**
   * The library.
   *
   * @throws PoolOpenException if it is not there
   */
  static VerbsLibrary load() {
    VerbsLibrary library = loaded;
    if (library == null) {
      try {
        library = new VerbsLibrary(SymbolLookup.libraryLookup(NAME, Arena.global()));
      } catch (IllegalArgumentException e) {
        throw new PoolOpenException(
            "RDMA needs "
                + NAME
                + " and the drivers of rdma-core, version 28 or later (in Debian: libibverbs1,"
                + " ibverbs-providers): "
                + e.getMessage(),
            e);
      }
      loaded = library;
    }
    return library;
  }

  /** A call of a function, whose error number is in the segment. */
  private interface Call {
    long call(MemorySegment state) throws Throwable;
  }

  /** Refuses what a function did not do. */
  private static IllegalStateException failed(String what, int error) {
    return new IllegalStateException(what + " error=" + error);
  }

  /** A pointer that a function has returned. */
  private static long pointer(String what, Call call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(ERRNO_LAYOUT);
      long result = call.call(state);
      if (result == 0) {
        throw failed(what, (int) ERRNO.get(state, 0L));
      }
      return result;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** The result of a function: 0, or an error number. */
  private static int result(Call call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(ERRNO_LAYOUT);
      int result = (int) call.call(state);
      return result == -1 ? (int) ERRNO.get(state, 0L) : result;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static void check(String what, Call call) {
    int error = result(call);
    if (error != 0) {
      throw failed(what, error);
    }
  }

  /** Array of devices, which ends with 0; their number is put at {@code count}. */
  long deviceList(long count) {
    return pointer(
        "the devices cannot be listed (are the kernel's modules there? modprobe ib_uverbs)",
        state -> (long) getDeviceList.invokeExact(state, count));
  }

  void freeDeviceList(long list) {
    result(
        state -> {
          freeDeviceList.invokeExact(state, list);
          return 0;
        });
  }

  String deviceName(long device) {
    return NativeMemory.text(
        pointer("a device has no name", state -> (long) getDeviceName.invokeExact(state, device)));
  }

  long open(long device) {
    return pointer(
        "the device cannot be opened (may this user read and write /dev/infiniband/uverbs*?)",
        state -> (long) openDevice.invokeExact(state, device));
  }

  void close(long context) {
    check("the device cannot be closed", state -> (int) closeDevice.invokeExact(state, context));
  }

  void queryDevice(long context, long attributes) {
    check(
        "the device does not tell its limits",
        state -> (int) queryDevice.invokeExact(state, context, attributes));
  }

  /** Whether the device has that port, whose attributes it has set then. */
  boolean queryPort(long context, int port, long attributes) {
    return result(state -> (int) queryPort.invokeExact(state, context, (byte) port, attributes))
        == 0;
  }

  /** Whether there is such an entry in the table of GIDs, which is set then. */
  boolean queryGid(long context, int port, int index, long entry, long entryBytes) {
    return result(
            state -> (int) queryGid.invokeExact(state, context, port, index, entry, 0, entryBytes))
        == 0;
  }

  long allocateDomain(long context) {
    return pointer(
        "the device has no protection domain left",
        state -> (long) allocateDomain.invokeExact(state, context));
  }

  void freeDomain(long domain) {
    check("a domain cannot be freed", state -> (int) freeDomain.invokeExact(state, domain));
  }

  long register(long domain, long address, long bytes, int access) {
    return pointer(
        "memory cannot be registered",
        state -> (long) register.invokeExact(state, domain, address, bytes, access));
  }

  void deregister(long region) {
    check("memory cannot be given back", state -> (int) deregister.invokeExact(state, region));
  }

  long createCompletions(long context, int entries) {
    return pointer(
        "the device has no completion queue left",
        state -> (long) createCompletions.invokeExact(state, context, entries, 0L, 0L, 0));
  }

  void destroyCompletions(long completions) {
    check(
        "a completion queue cannot be freed",
        state -> (int) destroyCompletions.invokeExact(state, completions));
  }

  long createQueuePair(long domain, long settings) {
    return pointer(
        "the device has no queue pair left",
        state -> (long) createQueuePair.invokeExact(state, domain, settings));
  }

  /** Returns 0, or the error number. */
  int modifyQueuePair(long queuePair, long attributes, int mask) {
    return result(state -> (int) modifyQueuePair.invokeExact(state, queuePair, attributes, mask));
  }

  void destroyQueuePair(long queuePair) {
    check(
        "a queue pair cannot be freed",
        state -> (int) destroyQueuePair.invokeExact(state, queuePair));
  }

  /** Posts a list of requests; returns 0, or the error number. */
  static int post(MemorySegment function, long queuePair, long requests, long refused) {
    try {
      return (int) POST.invokeExact(function, queuePair, requests, refused);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Takes a completion; returns 1, 0 if there is none, or less if the queue is broken. */
  static int poll(MemorySegment function, long completions, long completion) {
    try {
      return (int) POLL.invokeExact(function, completions, 1, completion);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
