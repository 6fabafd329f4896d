package org.nelumbo.dm.fabric.rdma.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaVerbs;
import com.ibm.disni.verbs.SVCDeregMr;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import com.ibm.disni.verbs.SVCRegMr;
import com.ibm.disni.verbs.SVCReqNotify;
import com.ibm.disni.verbs.impl.NatIbvCQ;
import com.ibm.disni.verbs.impl.NatIbvMr;
import com.ibm.disni.verbs.impl.NatObject;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.LongSupplier;
import org.nelumbo.dm.fabric.rdma.MemoryRegion;
import org.nelumbo.dm.fabric.rdma.NativeMemory;
import org.nelumbo.dm.fabric.rdma.QueuePair;
import org.nelumbo.dm.fabric.rdma.VerbsLibrary;

/** Verbs by libibverbs, as DiSNI has them. Thread-safe as far as the library is. */
final class ForeignVerbs extends RdmaVerbs implements EncodedVerbs {
  /** In {@code ibv_context}. */
  static final int COMMANDS_FD_OFFSET = 264;

  static final int VECTORS_OFFSET = 272;

  /** In {@code ibv_pd}, {@code ibv_mr}, {@code ibv_cq} and {@code ibv_qp}. */
  static final int DOMAIN_HANDLE_OFFSET = 8;

  static final int REGION_HANDLE_OFFSET = 32;
  static final int COMPLETIONS_HANDLE_OFFSET = 24;
  static final int QUEUE_PAIR_HANDLE_OFFSET = 48;

  /** In {@code ibv_qp} and {@code ibv_cq}: the device. */
  static final int OWNER_OFFSET = 0;

  /** An open device, {@code ibv_context}. */
  static final class Context extends IbvContext implements NatObject {
    private final long address;

    Context(long address) throws IOException {
      super(
          NativeMemory.getInt(address + COMMANDS_FD_OFFSET),
          NativeMemory.getInt(address + VECTORS_OFFSET));
      this.address = address;
    }

    @Override
    public long getObjId() {
      return address;
    }
  }

  /** A protection domain, {@code ibv_pd}. */
  private static final class Domain extends IbvPd implements NatObject {
    private final long address;

    Domain(long address, IbvContext context) throws IOException {
      super(context);
      this.address = address;
      this.handle = NativeMemory.getInt(address + DOMAIN_HANDLE_OFFSET);
    }

    @Override
    public long getObjId() {
      return address;
    }
  }

  /** A channel of completions, {@code ibv_comp_channel}. */
  private static final class Channel extends IbvCompChannel implements NatObject {
    private final long address;

    Channel(long address, IbvContext context) throws IOException {
      super(NativeMemory.getInt(address + ManagerLibrary.COMPLETION_CHANNEL_FD_OFFSET), context);
      this.address = address;
    }

    @Override
    public long getObjId() {
      return address;
    }
  }

  /** A queue pair, {@code ibv_qp}. */
  static final class QueuePairObject extends IbvQP implements NatObject {
    private final long address;

    QueuePairObject(long address, IbvPd domain, IbvQPInitAttr wanted) throws IOException {
      super(NativeMemory.getInt(address + QueuePair.NUMBER_OFFSET));
      this.address = address;
      this.context = domain.getContext();
      this.pd = domain;
      this.send_cq = wanted.getSend_cq();
      this.recv_cq = wanted.getRecv_cq();
      this.qp_type = wanted.getQp_type();
      this.handle = NativeMemory.getInt(address + QUEUE_PAIR_HANDLE_OFFSET);
    }

    @Override
    public long getObjId() {
      return address;
    }
  }

  private static void check(boolean isOpen, String what) throws IOException {
    if (!isOpen) {
      throw new IOException(what + " is closed");
    }
  }

  private static long made(LongSupplier call) throws IOException {
    try {
      return call.getAsLong();
    } catch (IllegalStateException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static int done(Runnable call) throws IOException {
    try {
      call.run();
      return 0;
    } catch (IllegalStateException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static long address(Object object) {
    return ((NatObject) object).getObjId();
  }

  private static MemorySegment function(long object, int offset) {
    return VerbsLibrary.function(NativeMemory.getLong(object + OWNER_OFFSET), offset);
  }

  @Override
  public IbvPd allocPd(IbvContext context) throws IOException {
    check(context.isOpen(), "the device");
    return new Domain(made(() -> VerbsLibrary.load().allocateDomain(address(context))), context);
  }

  @Override
  public IbvCompChannel createCompChannel(IbvContext context) throws IOException {
    check(context.isOpen(), "the device");
    return new Channel(made(() -> ManagerLibrary.load().createChannel(address(context))), context);
  }

  @Override
  public IbvCQ createCQ(IbvContext context, IbvCompChannel channel, int entries, int vector)
      throws IOException {
    check(context.isOpen(), "the device");
    long events = channel == null ? 0 : address(channel);
    long made =
        made(
            () -> VerbsLibrary.load().createCompletions(address(context), entries, events, vector));
    return new NatIbvCQ(
        made, context, channel, NativeMemory.getInt(made + COMPLETIONS_HANDLE_OFFSET));
  }

  /** Whether there is an event within the time; it has to be acknowledged. */
  @Override
  public boolean getCqEvent(IbvCompChannel channel, IbvCQ cq, int millis) throws IOException {
    check(channel.isOpen(), "the channel of completions");
    ManagerLibrary library = ManagerLibrary.load();
    if (!library.awaitReadable(channel.getFd(), millis)) {
      return false;
    }
    done(() -> library.getCompletionEvent(address(channel)));
    return true;
  }

  @Override
  public SVCRegMr regMr(IbvPd domain, ByteBuffer buffer, int access) throws IOException {
    if (!buffer.isDirect()) {
      throw new IOException("only a direct buffer can be registered");
    }
    // all of it, as DiSNI does it
    MemorySegment all = MemorySegment.ofBuffer(buffer.duplicate().clear());
    return regMr(domain, all.address(), buffer.capacity(), access);
  }

  @Override
  public SVCRegMr regMr(IbvPd domain, long address, int length, int access) {
    return new SVCRegMr() {
      private IbvMr region;
      private boolean isValid = true;

      @Override
      public IbvMr getMr() {
        return region;
      }

      @Override
      public SVCRegMr execute() throws IOException {
        check(domain.isOpen(), "the protection domain");
        long made =
            made(() -> VerbsLibrary.load().register(address(domain), address, length, access));
        region =
            new NatIbvMr(
                made,
                domain.getContext(),
                address,
                length,
                access,
                NativeMemory.getInt(made + MemoryRegion.LOCAL_KEY_OFFSET),
                NativeMemory.getInt(made + MemoryRegion.REMOTE_KEY_OFFSET),
                NativeMemory.getInt(made + REGION_HANDLE_OFFSET));
        return this;
      }

      @Override
      public boolean isValid() {
        return isValid;
      }

      @Override
      public SVCRegMr free() {
        isValid = false;
        return this;
      }
    };
  }

  /** Memory is all there from the start: no on-demand paging. */
  @Override
  public int queryOdpSupport(IbvContext context) {
    return -1;
  }

  /** As there is no on-demand paging, nothing can be fetched ahead. */
  @Override
  public int expPrefetchMr(IbvMr region, long address, int length) {
    return -1;
  }

  @Override
  public SVCDeregMr deregMr(IbvMr region) {
    return new SVCDeregMr() {
      private boolean isValid = true;

      @Override
      public SVCDeregMr execute() throws IOException {
        check(region.isOpen(), "the memory region");
        region.close();
        done(() -> VerbsLibrary.load().deregister(address(region)));
        return this;
      }

      @Override
      public boolean isValid() {
        return isValid;
      }

      @Override
      public SVCDeregMr free() {
        isValid = false;
        return this;
      }
    };
  }

  @Override
  public SVCPostSend postSend(IbvQP qp, List<IbvSendWR> requests, List<IbvSendWR> refused)
      throws IOException {
    return new PostSend(qp, queue(address(qp), 0), requests);
  }

  @Override
  public SVCPostRecv postRecv(IbvQP qp, List<IbvRecvWR> requests, List<IbvRecvWR> refused)
      throws IOException {
    long queuePair = address(qp);
    return new PostReceive(
        qp, queuePair, function(queuePair, ManagerLibrary.RECEIVE_OFFSET), requests);
  }

  @Override
  public SVCPollCq pollCQ(IbvCQ cq, IbvWC[] completions, int count) {
    return new PollCompletions(
        cq, function(address(cq), VerbsLibrary.POLL_OFFSET), completions, count);
  }

  @Override
  public SVCReqNotify reqNotifyCQ(IbvCQ cq, boolean onlySolicited) {
    MemorySegment notify = function(address(cq), ManagerLibrary.NOTIFY_OFFSET);
    return new SVCReqNotify() {
      private boolean isValid = true;

      @Override
      public SVCReqNotify execute() throws IOException {
        check(cq.isOpen(), "the queue of completions");
        int error = ManagerLibrary.notify(notify, address(cq), onlySolicited ? 1 : 0);
        if (error != 0) {
          throw new IOException("no event can be asked for error=" + error);
        }
        return this;
      }

      @Override
      public boolean isValid() {
        return isValid;
      }

      @Override
      public SVCReqNotify free() {
        isValid = false;
        return this;
      }
    };
  }

  @Override
  public int ackCqEvents(IbvCQ cq, int events) throws IOException {
    check(cq.isOpen(), "the queue of completions");
    return done(() -> ManagerLibrary.load().acknowledgeCompletions(address(cq), events));
  }

  @Override
  public int destroyCompChannel(IbvCompChannel channel) throws IOException {
    check(channel.isOpen(), "the channel of completions");
    channel.close();
    return done(() -> ManagerLibrary.load().destroyChannel(address(channel)));
  }

  @Override
  public int deallocPd(IbvPd domain) throws IOException {
    check(domain.isOpen(), "the protection domain");
    domain.close();
    return done(() -> VerbsLibrary.load().freeDomain(address(domain)));
  }

  @Override
  public int destroyCQ(IbvCQ cq) throws IOException {
    check(cq.isOpen(), "the queue of completions");
    cq.close();
    return done(() -> VerbsLibrary.load().destroyCompletions(address(cq)));
  }

  @Override
  public EncodedQueue queue(long queuePair, long completions) {
    return new Queue(queuePair, completions);
  }

  /** Posting and polling by the device's driver. */
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
      this.postFunction = function(queuePair, VerbsLibrary.POST_OFFSET);
      this.pollFunction = function(queuePair, VerbsLibrary.POLL_OFFSET);
    }

    @Override
    public int post(long first) {
      return VerbsLibrary.post(postFunction, queuePair, first, refused);
    }

    @Override
    public int poll(int count, long list) {
      return VerbsLibrary.poll(pollFunction, completions, count, list);
    }
  }
}
