package org.nelumbo.dm.fabric.rdma.disni;

import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.impl.NativeDispatcher;
import com.ibm.disni.verbs.impl.RdmaProviderNat;
import java.io.IOException;
import java.lang.reflect.Field;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Posting by DiSNI's native library, which takes the address of a list, too. */
final class LibraryVerbs implements EncodedVerbs {
  private static final Logger LOG = LoggerFactory.getLogger(LibraryVerbs.class);

  /** EIO: the library says what went wrong in words. */
  private static final int FAILED = 5;

  private final NativeDispatcher dispatcher;

  /** The calls of a provider that its own library has. */
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
