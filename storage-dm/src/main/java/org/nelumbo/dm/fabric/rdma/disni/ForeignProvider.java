package org.nelumbo.dm.fabric.rdma.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import java.io.IOException;
import java.lang.reflect.Field;

/**
 * The parts of DiSNI's native library that {@link DisniDomain} needs, implemented by foreign calls
 * of librdmacm and libibverbs. A function that fails throws {@link IllegalStateException}; methods
 * of DiSNI that are not overridden would call the native library.
 */
final class ForeignProvider extends RdmaProvider {
  /** Version of DiSNI 2.1's native library. */
  private static final int VERSION = 32;

  private final ForeignCm cm = new ForeignCm();
  private final ForeignVerbs verbs = new ForeignVerbs();

  private ForeignProvider() throws IOException {}

  /**
   * Installs such a provider in DiSNI if this process has none. If two threads do so at once,
   * either instance works.
   */
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
