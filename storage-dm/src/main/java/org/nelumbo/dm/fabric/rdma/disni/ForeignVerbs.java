package org.nelumbo.dm.fabric.rdma.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.impl.NatDeregMrCall;
import com.ibm.disni.verbs.impl.NatIbvCQ;
import com.ibm.disni.verbs.impl.NatIbvMr;
import com.ibm.disni.verbs.impl.NatObject;
import com.ibm.disni.verbs.impl.RdmaVerbsNat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.fabric.rdma.MemoryRegion;
import org.nelumbo.dm.fabric.rdma.NativeMemory;
import org.nelumbo.dm.fabric.rdma.VerbsLibrary;

/** DiSNI verbs that call libibverbs. As thread-safe as the library. */
final class ForeignVerbs extends RdmaVerbsNat implements EncodedVerbs {
  /** Offset of the device in {@code ibv_qp}. */
  static final int OWNER_OFFSET = 0;

  private static final int NO_DESCRIPTOR = -1;
  private static final int NO_HANDLE = 0;

  private final VerbsLibrary library = VerbsLibrary.load();

  ForeignVerbs() {
    super(null);
  }

  private static final class Domain extends IbvPd implements NatObject {
    private final long address;

    Domain(long address, IbvContext context) throws IOException {
      super(context);
      this.address = address;
    }

    @Override
    public long getObjId() {
      return address;
    }
  }

  @Override
  public IbvPd allocPd(IbvContext context) throws IOException {
    return new Domain(library.allocateDomain(NativeAddress.of(context)), context);
  }

  @Override
  public int deallocPd(IbvPd domain) {
    library.freeDomain(NativeAddress.of(domain));
    return 0;
  }

  /** Returns a placeholder: completions are polled, so libibverbs needs no completion channel. */
  @Override
  public IbvCompChannel createCompChannel(IbvContext context) throws IOException {
    return new IbvCompChannel(NO_DESCRIPTOR, context) {};
  }

  @Override
  public int destroyCompChannel(IbvCompChannel channel) {
    return 0;
  }

  @Override
  public IbvCQ createCQ(IbvContext context, IbvCompChannel channel, int entries, int vector)
      throws IOException {
    long made = library.createCompletions(NativeAddress.of(context), entries);
    return new NatIbvCQ(made, context, channel, NO_HANDLE);
  }

  @Override
  public int destroyCQ(IbvCQ completions) {
    library.destroyCompletions(NativeAddress.of(completions));
    return 0;
  }

  @Override
  public SVCRegMr regMr(IbvPd domain, long address, int length, int access) {
    return new SVCRegMr() {
      private IbvMr region;

      @Override
      public SVCRegMr execute() throws IOException {
        long made = library.register(NativeAddress.of(domain), address, length, access);
        int localKey = NativeMemory.getInt(made + MemoryRegion.LOCAL_KEY_OFFSET);
        int remoteKey = NativeMemory.getInt(made + MemoryRegion.REMOTE_KEY_OFFSET);
        region =
            new NatIbvMr(
                made, domain.getContext(), address, length, access, localKey, remoteKey, NO_HANDLE);
        return this;
      }

      @Override
      public IbvMr getMr() {
        return region;
      }

      @Override
      public boolean isValid() {
        return region != null;
      }

      @Override
      public SVCRegMr free() {
        return this;
      }
    };
  }

  @Override
  public SVCDeregMr deregMr(IbvMr region) {
    return new NatDeregMrCall(this, null, region) {
      @Override
      public SVCDeregMr execute() {
        library.deregister(NativeAddress.of(region));
        return this;
      }
    };
  }

  @Override
  public EncodedQueue queue(long queuePair, long completions) {
    return new Queue(queuePair, completions);
  }

  private static final class Queue implements EncodedQueue {
    private final long queuePair;
    private final long completions;
    private final MemorySegment postFunction;
    private final MemorySegment pollFunction;
    private final Arena arena = Arena.ofAuto();
    private final long refused = arena.allocate(Long.BYTES, Long.BYTES).address();

    Queue(long queuePair, long completions) {
      this.queuePair = queuePair;
      this.completions = completions;
      long context = NativeMemory.getLong(queuePair + OWNER_OFFSET);
      this.postFunction = VerbsLibrary.function(context, VerbsLibrary.POST_OFFSET);
      this.pollFunction = VerbsLibrary.function(context, VerbsLibrary.POLL_OFFSET);
    }

    @Override
    public int post(long first) {
      return VerbsLibrary.post(postFunction, queuePair, first, refused);
    }

    @Override
    public int poll(long completion) {
      return VerbsLibrary.poll(pollFunction, completions, 1, completion);
    }
  }
}
