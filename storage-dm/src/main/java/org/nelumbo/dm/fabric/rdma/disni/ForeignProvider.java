package org.nelumbo.dm.fabric.rdma.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import java.io.IOException;
import java.lang.reflect.Field;

/**
 * DiSNI without its native library, as far as {@link DisniDomain} needs it: librdmacm and
 * libibverbs by foreign functions. A function that fails throws {@link IllegalStateException};
 * methods of DiSNI that are not overridden would call the library.
 */
final class ForeignProvider extends RdmaProvider {
  /** That of DiSNI 2.1's native library. */
  private static final int VERSION = 32;

  private final ForeignCm cm = new ForeignCm();
  private final ForeignVerbs verbs = new ForeignVerbs();

  private ForeignProvider() throws IOException {}

  /** Has DiSNI use such a provider in this process, if it has none; which of several is equal. */
  static void install() throws IOException, ReflectiveOperationException {
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
