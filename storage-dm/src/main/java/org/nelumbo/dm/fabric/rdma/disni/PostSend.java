package org.nelumbo.dm.fabric.rdma.disni;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import java.util.List;
import org.nelumbo.dm.fabric.rdma.NativeMemory;
import org.nelumbo.dm.fabric.rdma.SendRequest;

/**
 * A list of requests that is encoded once, and may be posted several times, changed in between. For
 * one thread at a time. Atomics take their operands from {@code IbvSendWR.getAtomic()}.
 */
final class PostSend extends SVCPostSend {
  private final IbvQP queuePair;
  private final EncodedVerbs.EncodedQueue queue;
  private final int count;
  private final Arena arena = Arena.ofAuto();
  private final long requests;
  private boolean isValid = true;

  PostSend(IbvQP queuePair, EncodedVerbs.EncodedQueue queue, List<IbvSendWR> wanted)
      throws IOException {
    if (wanted.isEmpty()) {
      throw new IOException("there is no request to post");
    }
    this.queuePair = queuePair;
    this.queue = queue;
    this.count = wanted.size();
    int elements = wanted.stream().mapToInt(each -> each.getSg_list().size()).sum();
    long bytes = (long) count * SendRequest.LENGTH + (long) elements * SendRequest.ELEMENT_LENGTH;
    this.requests = arena.allocate(bytes, Long.BYTES).address();
    long element = requests + (long) count * SendRequest.LENGTH;
    for (int i = 0; i < count; i++) {
      encode(wanted.get(i), request(i), element);
      element = RequestElements.encode(wanted.get(i).getSg_list(), element);
      if (i > 0) {
        NativeMemory.putLong(request(i - 1) + SendRequest.NEXT_OFFSET, request(i));
      }
    }
  }

  private long request(int index) {
    return requests + (long) index * SendRequest.LENGTH;
  }

  private static void encode(IbvSendWR from, long to, long elements) throws IOException {
    NativeMemory.putLong(to, from.getWr_id());
    NativeMemory.putLong(to + SendRequest.ELEMENTS_OFFSET, elements);
    NativeMemory.putInt(to + SendRequest.ELEMENT_COUNT_OFFSET, from.getSg_list().size());
    NativeMemory.putInt(to + SendRequest.CODE_OFFSET, from.getOpcode());
    NativeMemory.putInt(to + SendRequest.FLAGS_OFFSET, from.getSend_flags());
    NativeMemory.putInt(to + SendRequest.IMMEDIATE_OFFSET, from.getImm_data());
    switch (from.getOpcode()) {
      case IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD -> {
        IbvSendWR.Atomic atomic = from.getAtomic();
        NativeMemory.putLong(to + SendRequest.REMOTE_OFFSET, atomic.getRemote_addr());
        NativeMemory.putLong(to + SendRequest.COMPARE_ADD_OFFSET, atomic.getCompare_add());
        NativeMemory.putLong(to + SendRequest.SWAP_OFFSET, atomic.getSwap());
        NativeMemory.putInt(to + SendRequest.ATOMIC_KEY_OFFSET, atomic.getRkey());
      }
      case IbvSendWR.IBV_WR_RDMA_WRITE,
          IbvSendWR.IBV_WR_RDMA_WRITE_WITH_IMM,
          IbvSendWR.IBV_WR_RDMA_READ,
          IbvSendWR.IBV_WR_SEND,
          IbvSendWR.IBV_WR_SEND_WITH_IMM -> {
        NativeMemory.putLong(to + SendRequest.REMOTE_OFFSET, from.getRdma().getRemote_addr());
        NativeMemory.putInt(to + SendRequest.KEY_OFFSET, from.getRdma().getRkey());
      }
      default -> throw new IOException("not the code of a request: " + from.getOpcode());
    }
  }

  /** Address of the first request. */
  long first() {
    return requests;
  }

  @Override
  public SVCPostSend execute() throws IOException {
    if (!queuePair.isOpen()) {
      throw new IOException("the queue pair is closed");
    }
    if (!isValid) {
      throw new IOException("the requests have been freed");
    }
    int error = queue.post(requests);
    Reference.reachabilityFence(arena);
    if (error != 0) {
      throw new IOException("the device refuses requests error=" + error);
    }
    return this;
  }

  @Override
  public boolean isValid() {
    return isValid;
  }

  /** Nothing of it may be used any more; the memory goes with this object. */
  @Override
  public SVCPostSend free() {
    isValid = false;
    return this;
  }

  @Override
  public SendWRMod getWrMod(int index) {
    if (index < 0 || index >= count) {
      throw new IndexOutOfBoundsException(index);
    }
    return new Request(request(index));
  }

  /** An encoded request that can be changed, and what it is about. */
  private final class Request implements SendWRMod, RdmaMod {
    private final long at;

    Request(long at) {
      this.at = at;
    }

    @Override
    public void setWr_id(long id) {
      NativeMemory.putLong(at, id);
    }

    @Override
    public long getWr_id() {
      return NativeMemory.getLong(at);
    }

    @Override
    public void setSend_flags(int flags) {
      NativeMemory.putInt(at + SendRequest.FLAGS_OFFSET, flags);
    }

    @Override
    public int getSend_flags() {
      return NativeMemory.getInt(at + SendRequest.FLAGS_OFFSET);
    }

    @Override
    public int getNum_sge() {
      return NativeMemory.getInt(at + SendRequest.ELEMENT_COUNT_OFFSET);
    }

    @Override
    public int getOpcode() {
      return NativeMemory.getInt(at + SendRequest.CODE_OFFSET);
    }

    @Override
    public RdmaMod getRdmaMod() {
      return this;
    }

    @Override
    public SgeMod getSgeMod(int index) {
      if (index < 0 || index >= getNum_sge()) {
        throw new IndexOutOfBoundsException(index);
      }
      long elements = NativeMemory.getLong(at + SendRequest.ELEMENTS_OFFSET);
      return new Element(PostSend.this, elements + (long) index * SendRequest.ELEMENT_LENGTH);
    }

    @Override
    public void setRemote_addr(long address) {
      NativeMemory.putLong(at + SendRequest.REMOTE_OFFSET, address);
    }

    @Override
    public long getRemote_addr() {
      return NativeMemory.getLong(at + SendRequest.REMOTE_OFFSET);
    }

    private long keyAt() {
      int code = getOpcode();
      boolean isAtomic = code == SendRequest.COMPARE_AND_SWAP || code == SendRequest.FETCH_AND_ADD;
      return at + (isAtomic ? SendRequest.ATOMIC_KEY_OFFSET : SendRequest.KEY_OFFSET);
    }

    @Override
    public void setRkey(int key) {
      NativeMemory.putInt(keyAt(), key);
    }

    @Override
    public int getRkey() {
      return NativeMemory.getInt(keyAt());
    }

    /** Devices have no use for it. */
    @Override
    public void setReserved(int reserved) {}

    @Override
    public int getReserved() {
      return 0;
    }
  }

  /**
   * An element that can be changed.
   *
   * @param list which keeps the memory
   */
  private record Element(PostSend list, long at) implements SgeMod {
    @Override
    public void setAddr(long address) {
      NativeMemory.putLong(at, address);
    }

    @Override
    public long getAddr() {
      return NativeMemory.getLong(at);
    }

    @Override
    public void setLength(int bytes) {
      NativeMemory.putInt(at + SendRequest.ELEMENT_BYTES_OFFSET, bytes);
    }

    @Override
    public int getLength() {
      return NativeMemory.getInt(at + SendRequest.ELEMENT_BYTES_OFFSET);
    }

    @Override
    public void setLkey(int key) {
      NativeMemory.putInt(at + SendRequest.ELEMENT_KEY_OFFSET, key);
    }

    @Override
    public int getLkey() {
      return NativeMemory.getInt(at + SendRequest.ELEMENT_KEY_OFFSET);
    }
  }
}
