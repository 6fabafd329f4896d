package org.nelumbo.dm.fabric.rdma.disni;

import com.ibm.disni.verbs.impl.NatObject;

/** Reads the addresses of the C structures that DiSNI's objects represent. */
final class NativeAddress {
  private NativeAddress() {}

  static long of(Object object) {
    return ((NatObject) object).getObjId();
  }
}
