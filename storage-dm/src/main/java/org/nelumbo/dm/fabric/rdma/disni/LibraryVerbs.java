package org.nelumbo.dm.fabric.rdma.disni;

import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.impl.NativeDispatcher;
import com.ibm.disni.verbs.impl.RdmaProviderNat;
import java.io.IOException;
import java.lang.reflect.Field;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Posts requests by DiSNI's native library, which also accepts the address of a list. */
final class LibraryVerbs implements EncodedVerbs {
  private static final Logger LOG = LoggerFactory.getLogger(LibraryVerbs.class);

  /** EIO. The library reports errors as text instead of numbers. */
  private static final int FAILED = 5;

  private final NativeDispatcher dispatcher;

  /** Obtains the native calls of a provider that uses DiSNI's library. */
  LibraryVerbs(RdmaProvider provider) throws ReflectiveOperationException {
    Field field = RdmaProviderNat.class.getDeclaredField("nativeDispatcher");
    field.setAccessible(true);
    this.dispatcher = (NativeDispatcher) field.get(provider);
  }

  @Override
  public EncodedQueue queue(long queuePair, long completions) {
    return new EncodedQueue() {
      @Override
      public int post(long first) {
        try {
          dispatcher._postSend(queuePair, first);
          return 0;
        } catch (IOException e) {
          LOG.warn("DiSNI does not post requests", e);
          return FAILED;
        }
      }

      @Override
      public int poll(long completion) {
        try {
          return dispatcher._pollCQ(completions, 1, completion);
        } catch (IOException e) {
          LOG.warn("DiSNI does not poll completions", e);
          return -FAILED;
        }
      }
    };
  }
}
