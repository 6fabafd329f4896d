package org.nelumbo.dm.fabric.rdma.disni;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.SVCPostRecv;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;
import org.nelumbo.dm.fabric.rdma.NativeMemory;
import org.nelumbo.dm.fabric.rdma.SendRequest;

/**
 * A list of requests to receive, {@code ibv_recv_wr}: id (8), next request (8), elements (8), their
 * number (4). It is encoded once, and may be posted several times. For one thread at a time.
 */
final class PostReceive extends SVCPostRecv {
  static final int LENGTH = 32;
  static final int NEXT_OFFSET = 8;
  static final int ELEMENTS_OFFSET = 16;
  static final int ELEMENT_COUNT_OFFSET = 24;

  private final IbvQP queuePair;
  private final long address;
  private final MemorySegment function;
  private final int count;
  private final Arena arena = Arena.ofAuto();
  private final long requests;
  private final long refused;
  private boolean isValid = true;

  PostReceive(IbvQP queuePair, long address, MemorySegment function, List<IbvRecvWR> wanted)
      throws IOException {
    if (wanted.isEmpty()) {
      throw new IOException("there is no request to post");
    }
    this.queuePair = queuePair;
    this.address = address;
    this.function = function;
    this.count = wanted.size();
    int elements = wanted.stream().mapToInt(each -> each.getSg_list().size()).sum();
    long bytes = (long) count * LENGTH + (long) elements * SendRequest.ELEMENT_LENGTH;
    this.requests = arena.allocate(bytes, Long.BYTES).address();
    this.refused = arena.allocate(Long.BYTES, Long.BYTES).address();
    long element = requests + (long) count * LENGTH;
    for (int i = 0; i < count; i++) {
      long request = request(i);
      IbvRecvWR each = wanted.get(i);
      NativeMemory.putLong(request, each.getWr_id());
      NativeMemory.putLong(request + NEXT_OFFSET, i + 1 < count ? request(i + 1) : 0);
      NativeMemory.putLong(request + ELEMENTS_OFFSET, element);
      NativeMemory.putInt(request + ELEMENT_COUNT_OFFSET, each.getSg_list().size());
      element = RequestElements.encode(each.getSg_list(), element);
    }
  }

  private long request(int index) {
    return requests + (long) index * LENGTH;
  }

  @Override
  public SVCPostRecv execute() throws IOException {
    if (!queuePair.isOpen()) {
      throw new IOException("the queue pair is closed");
    }
    if (!isValid) {
      throw new IOException("the requests have been freed");
    }
    int error = ManagerLibrary.receive(function, address, requests, refused);
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

  @Override
  public SVCPostRecv free() {
    isValid = false;
    return this;
  }

  @Override
  public RecvWRMod getWrMod(int index) {
    if (index < 0 || index >= count) {
      throw new IndexOutOfBoundsException(index);
    }
    return () -> NativeMemory.getLong(request(index));
  }
}
