package org.nelumbo.dm.fabric.rdma.disni;

import com.ibm.disni.verbs.impl.NatObject;

/** Addresses of the structures in C that objects of DiSNI stand for. */
final class NativeAddress {
  private NativeAddress() {}

  static long of(Object object) {
    return ((NatObject) object).getObjId();
  }
}
