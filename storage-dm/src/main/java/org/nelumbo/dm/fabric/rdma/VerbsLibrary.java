package org.nelumbo.dm.fabric.rdma;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * Binding of the functions of libibverbs that the engine uses. Pointers are absolute addresses.
 * Posting and polling are functions of the device's driver, which the library does not export;
 * their addresses are in the context of an open device.
 */
public final class VerbsLibrary {
  /** Offset in {@code ibv_context} of the function that polls a completion queue. */
  public static final int POLL_OFFSET = 96;

  /** Offset in {@code ibv_context} of the function that posts requests. */
  public static final int POST_OFFSET = 208;

  private static final String NAME = "libibverbs.so.1";
  private static final Linker LINKER = Linker.nativeLinker();
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  /** The first argument is the function's address, since each driver has its own function. */
  private static final MethodHandle POST =
      LINKER.downcallHandle(FunctionDescriptor.of(INT, LONG, LONG, LONG));

  /** The function neither blocks nor calls back, so the call needs no change of thread state. */
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
    getDeviceList =
        NativeCalls.handle(lookup, "ibv_get_device_list", FunctionDescriptor.of(LONG, LONG));
    freeDeviceList =
        NativeCalls.handle(lookup, "ibv_free_device_list", FunctionDescriptor.ofVoid(LONG));
    getDeviceName =
        NativeCalls.handle(lookup, "ibv_get_device_name", FunctionDescriptor.of(LONG, LONG));
    openDevice = NativeCalls.handle(lookup, "ibv_open_device", FunctionDescriptor.of(LONG, LONG));
    closeDevice = NativeCalls.handle(lookup, "ibv_close_device", FunctionDescriptor.of(INT, LONG));
    queryDevice =
        NativeCalls.handle(lookup, "ibv_query_device", FunctionDescriptor.of(INT, LONG, LONG));
    queryPort =
        NativeCalls.handle(lookup, "ibv_query_port", FunctionDescriptor.of(INT, LONG, BYTE, LONG));
    queryGid =
        NativeCalls.handle(
            lookup,
            "_ibv_query_gid_ex",
            FunctionDescriptor.of(INT, LONG, INT, INT, LONG, INT, LONG));
    allocateDomain = NativeCalls.handle(lookup, "ibv_alloc_pd", FunctionDescriptor.of(LONG, LONG));
    freeDomain = NativeCalls.handle(lookup, "ibv_dealloc_pd", FunctionDescriptor.of(INT, LONG));
    register =
        NativeCalls.handle(
            lookup, "ibv_reg_mr", FunctionDescriptor.of(LONG, LONG, LONG, LONG, INT));
    deregister = NativeCalls.handle(lookup, "ibv_dereg_mr", FunctionDescriptor.of(INT, LONG));
    createCompletions =
        NativeCalls.handle(
            lookup, "ibv_create_cq", FunctionDescriptor.of(LONG, LONG, INT, LONG, LONG, INT));
    destroyCompletions =
        NativeCalls.handle(lookup, "ibv_destroy_cq", FunctionDescriptor.of(INT, LONG));
    createQueuePair =
        NativeCalls.handle(lookup, "ibv_create_qp", FunctionDescriptor.of(LONG, LONG, LONG));
    modifyQueuePair =
        NativeCalls.handle(lookup, "ibv_modify_qp", FunctionDescriptor.of(INT, LONG, LONG, INT));
    destroyQueuePair =
        NativeCalls.handle(lookup, "ibv_destroy_qp", FunctionDescriptor.of(INT, LONG));
  }

  /**
   * Loads the library, once per process.
   *
   * @throws PoolOpenException if it is not installed
   */
  public static VerbsLibrary load() {
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

  /**
   * Returns an array of devices that ends with 0; writes the number of devices at {@code count}.
   */
  long deviceList(long count) {
    return NativeCalls.pointer(
        "the devices cannot be listed (are the kernel modules loaded? modprobe ib_uverbs)",
        state -> (long) getDeviceList.invokeExact(state, count));
  }

  void freeDeviceList(long list) {
    NativeCalls.result(
        state -> {
          freeDeviceList.invokeExact(state, list);
          return 0;
        });
  }

  String deviceName(long device) {
    return NativeMemory.text(
        NativeCalls.pointer(
            "a device has no name", state -> (long) getDeviceName.invokeExact(state, device)));
  }

  long open(long device) {
    return NativeCalls.pointer(
        "the device cannot be opened (may this user read and write /dev/infiniband/uverbs*?)",
        state -> (long) openDevice.invokeExact(state, device));
  }

  void close(long context) {
    NativeCalls.check(
        "the device cannot be closed", state -> (int) closeDevice.invokeExact(state, context));
  }

  void queryDevice(long context, long attributes) {
    NativeCalls.check(
        "the device does not return its limits",
        state -> (int) queryDevice.invokeExact(state, context, attributes));
  }

  /** Reads the attributes of a port; returns false if the device has no such port. */
  boolean queryPort(long context, int port, long attributes) {
    return NativeCalls.result(
            state -> (int) queryPort.invokeExact(state, context, (byte) port, attributes))
        == 0;
  }

  /** Reads an entry of the GID table; returns false if there is no such entry. */
  boolean queryGid(long context, int port, int index, long entry, long entryBytes) {
    return NativeCalls.result(
            state -> (int) queryGid.invokeExact(state, context, port, index, entry, 0, entryBytes))
        == 0;
  }

  /** Allocates a protection domain. */
  public long allocateDomain(long context) {
    return NativeCalls.pointer(
        "the device has no protection domain left",
        state -> (long) allocateDomain.invokeExact(state, context));
  }

  /** Frees a protection domain. */
  public void freeDomain(long domain) {
    NativeCalls.check(
        "a domain cannot be freed", state -> (int) freeDomain.invokeExact(state, domain));
  }

  /** Registers memory; returns the {@code ibv_mr}. */
  public long register(long domain, long address, long bytes, int access) {
    return NativeCalls.pointer(
        "memory cannot be registered",
        state -> (long) register.invokeExact(state, domain, address, bytes, access));
  }

  /** Deregisters memory. */
  public void deregister(long region) {
    NativeCalls.check(
        "memory cannot be deregistered", state -> (int) deregister.invokeExact(state, region));
  }

  /** Creates a completion queue for polling, without a completion channel. */
  public long createCompletions(long context, int entries) {
    return NativeCalls.pointer(
        "the device has no completion queue left",
        state -> (long) createCompletions.invokeExact(state, context, entries, 0L, 0L, 0));
  }

  /** Destroys a completion queue. */
  public void destroyCompletions(long completions) {
    NativeCalls.check(
        "a completion queue cannot be freed",
        state -> (int) destroyCompletions.invokeExact(state, completions));
  }

  long createQueuePair(long domain, long settings) {
    return NativeCalls.pointer(
        "the device has no queue pair left",
        state -> (long) createQueuePair.invokeExact(state, domain, settings));
  }

  /** Modifies a queue pair; returns 0, or the error number. */
  int modifyQueuePair(long queuePair, long attributes, int mask) {
    return NativeCalls.result(
        state -> (int) modifyQueuePair.invokeExact(state, queuePair, attributes, mask));
  }

  void destroyQueuePair(long queuePair) {
    NativeCalls.check(
        "a queue pair cannot be freed",
        state -> (int) destroyQueuePair.invokeExact(state, queuePair));
  }

  /** Returns the function of a device's driver at an offset of its context. */
  public static MemorySegment function(long context, int offset) {
    return MemorySegment.ofAddress(NativeMemory.getLong(context + offset));
  }

  /** Posts a list of requests; returns 0, or the error number. */
  public static int post(MemorySegment function, long queuePair, long requests, long refused) {
    try {
      return (int) POST.invokeExact(function, queuePair, requests, refused);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Polls up to {@code count} completions; returns their number, or a negative value if the queue
   * is broken.
   */
  public static int poll(MemorySegment function, long completions, int count, long completion) {
    try {
      return (int) POLL.invokeExact(function, completions, count, completion);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
