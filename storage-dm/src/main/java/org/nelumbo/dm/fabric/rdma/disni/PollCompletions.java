package org.nelumbo.dm.fabric.rdma.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.impl.NatObject;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.nelumbo.dm.fabric.rdma.Completion;
import org.nelumbo.dm.fabric.rdma.NativeMemory;
import org.nelumbo.dm.fabric.rdma.VerbsLibrary;

/** Takes completions, {@code ibv_wc}. For one thread at a time. */
final class PollCompletions extends SVCPollCq {
  static final int STATUS_OFFSET = 8;
  static final int CODE_OFFSET = 12;
  static final int VENDOR_OFFSET = 16;
  static final int BYTES_OFFSET = 20;
  static final int IMMEDIATE_OFFSET = 24;
  static final int NUMBER_OFFSET = 28;
  static final int SOURCE_OFFSET = 32;
  static final int FLAGS_OFFSET = 36;
  static final int KEY_INDEX_OFFSET = 40;
  static final int LID_OFFSET = 42;
  static final int SERVICE_OFFSET = 44;
  static final int PATH_OFFSET = 45;

  private final IbvCQ queue;
  private final MemorySegment function;
  private final IbvWC[] completions;
  private final int count;
  private final Arena arena = Arena.ofAuto();
  private final long list;
  private int polls;
  private boolean isValid = true;

  PollCompletions(IbvCQ queue, MemorySegment function, IbvWC[] completions, int count) {
    this.queue = queue;
    this.function = function;
    this.completions = completions;
    this.count = Math.min(count, completions.length);
    this.list =
        arena.allocate((long) Math.max(this.count, 1) * Completion.LENGTH, Long.BYTES).address();
  }

  @Override
  public SVCPollCq execute() throws IOException {
    if (!queue.isOpen()) {
      throw new IOException("the queue of completions is closed");
    }
    int taken = VerbsLibrary.poll(function, ((NatObject) queue).getObjId(), count, list);
    if (taken < 0) {
      throw new IOException("the queue of completions is broken error=" + taken);
    }
    for (int i = 0; i < taken; i++) {
      decode(list + (long) i * Completion.LENGTH, completions[i]);
    }
    Reference.reachabilityFence(arena);
    polls = taken;
    return this;
  }

  /** Of one that failed only id, status and the vendor's code are set. */
  private static void decode(long from, IbvWC to) {
    to.setWr_id(NativeMemory.getLong(from));
    to.setStatus(NativeMemory.getInt(from + STATUS_OFFSET));
    to.setVendor_err(NativeMemory.getInt(from + VENDOR_OFFSET));
    to.setQp_num(NativeMemory.getInt(from + NUMBER_OFFSET));
    if (to.getStatus() == Completion.DONE) {
      to.setOpcode(NativeMemory.getInt(from + CODE_OFFSET));
      to.setByte_len(NativeMemory.getInt(from + BYTES_OFFSET));
      to.setImm_data(NativeMemory.getInt(from + IMMEDIATE_OFFSET));
      to.setSrc_qp(NativeMemory.getInt(from + SOURCE_OFFSET));
      to.setWc_flags(NativeMemory.getInt(from + FLAGS_OFFSET));
      to.setPkey_index((short) NativeMemory.getShort(from + KEY_INDEX_OFFSET));
      to.setSlid((short) NativeMemory.getShort(from + LID_OFFSET));
      to.setSl((short) NativeMemory.getByte(from + SERVICE_OFFSET));
      to.setDlid_path_bits((short) NativeMemory.getByte(from + PATH_OFFSET));
    }
  }

  @Override
  public int getPolls() {
    return polls;
  }

  @Override
  public boolean isValid() {
    return isValid;
  }

  @Override
  public SVCPollCq free() {
    isValid = false;
    return this;
  }
}
