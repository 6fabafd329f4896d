package org.nelumbo.dm.fabric.rdma.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import java.lang.reflect.Field;

/**
 * DiSNI without its native library: librdmacm and libibverbs by foreign functions. Its requests may
 * be atomics ({@code IbvSendWR.getAtomic()}), which those of the library may not.
 */
public final class ForeignProvider extends RdmaProvider {
  /** That of DiSNI 2.1's native library. */
  private static final int VERSION = 32;

  private final ForeignCm cm = new ForeignCm();
  private final ForeignVerbs verbs = new ForeignVerbs();

  /** Has DiSNI use such a provider in this process, if it has none; which of several is equal. */
  public static void install() throws ReflectiveOperationException {
    Field field = RdmaProvider.class.getDeclaredField("provider");
    field.setAccessible(true);
    if (field.get(null) == null) {
      field.set(null, new ForeignProvider());
    }
  }

  @Override
  public RdmaCm openCm() {
    return cm;
  }

  @Override
  public RdmaVerbs openVerbs() {
    return verbs;
  }

  @Override
  public int getVersion() {
    return VERSION;
  }
}
