package org.nelumbo.dm.fabric.rdma.disni;

import com.ibm.disni.verbs.IbvSge;
import java.util.List;
import org.nelumbo.dm.fabric.rdma.NativeMemory;
import org.nelumbo.dm.fabric.rdma.SendRequest;

/** Pieces of registered memory that requests name, {@code ibv_sge}. */
final class RequestElements {
  private RequestElements() {}

  /** Encodes elements, and returns the address behind them. */
  static long encode(List<IbvSge> elements, long at) {
    long next = at;
    for (IbvSge each : elements) {
      NativeMemory.putLong(next, each.getAddr());
      NativeMemory.putInt(next + SendRequest.ELEMENT_BYTES_OFFSET, each.getLength());
      NativeMemory.putInt(next + SendRequest.ELEMENT_KEY_OFFSET, each.getLkey());
      next += SendRequest.ELEMENT_LENGTH;
    }
    return next;
  }
}
