package org.nelumbo.dm.fabric.rdma.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.nelumbo.dm.fabric.rdma.GidEntry;
import org.nelumbo.dm.fabric.rdma.MemoryRegion;
import org.nelumbo.dm.fabric.rdma.NativeQueue;
import org.nelumbo.dm.fabric.rdma.ProtectionDomain;
import org.nelumbo.dm.pool.PoolOpenException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A protection domain of DiSNI. DiSNI selects devices by addresses: a connection identifier that is
 * bound to an address of the device's port refers to the device. Each queue pair has its own
 * identifier, which is never connected, because queue pairs are connected by the engine's own
 * handshake.
 */
public final class DisniDomain implements ProtectionDomain {
  private static final Logger LOG = LoggerFactory.getLogger(DisniDomain.class);

  private final RdmaCm cm;
  private final RdmaVerbs verbs;
  private final EncodedVerbs encoded;
  private final InetSocketAddress address;
  private final RdmaEventChannel events;
  private RdmaCmId id;
  private IbvContext context;
  private IbvPd domain;
  private IbvCompChannel channel;

  private DisniDomain(RdmaProvider provider, EncodedVerbs encoded, InetAddress host)
      throws IOException {
    this.cm = provider.openCm();
    this.verbs = provider.openVerbs();
    this.encoded = encoded;
    this.address = new InetSocketAddress(host, 0);
    this.events = cm.createEventChannel();
    try {
      this.id = bind();
      this.context = id.getVerbs();
      if (NativeAddress.of(context) == 0) {
        throw new IOException("no RDMA device has the address " + host.getHostAddress());
      }
      this.domain = context.allocPd();
      this.channel = context.createCompChannel();
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /**
   * Opens the device that has an address.
   *
   * @throws PoolOpenException if DiSNI is unusable; the message says what to do
   */
  public static DisniDomain open(GidEntry gid) {
    try {
      RdmaProvider provider = provider();
      EncodedVerbs encoded =
          provider.openVerbs() instanceof ForeignVerbs foreign
              ? foreign
              : new LibraryVerbs(provider);
      LOG.info("provider={}", provider.getClass().getSimpleName());
      return new DisniDomain(provider, encoded, gid.host());
    } catch (IOException | ReflectiveOperationException | IllegalStateException e) {
      throw new PoolOpenException("DiSNI cannot be used: " + e.getMessage(), e);
    } catch (IllegalAccessError e) {
      throw new PoolOpenException(
          "DiSNI's library cannot be used by this Java: start it with --add-exports"
              + " java.base/sun.nio.ch=ALL-UNNAMED",
          e);
    }
  }

  private static RdmaProvider provider() throws IOException, ReflectiveOperationException {
    try {
      return RdmaProvider.provider();
    } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
      LOG.debug("DiSNI's library is not installed", e);
      ForeignProvider.install();
      return RdmaProvider.provider();
    }
  }

  private RdmaCmId bind() throws IOException {
    RdmaCmId bound = cm.createId(events, RdmaCm.RDMA_PS_TCP);
    try {
      bound.bindAddr(address);
      return bound;
    } catch (IOException | RuntimeException | Error e) {
      bound.destroyId();
      throw e;
    }
  }

  @Override
  public MemoryRegion register(long start, long bytes, int access) {
    if (bytes > Integer.MAX_VALUE) {
      throw new IllegalStateException("DiSNI registers at most 2 GiB at a time");
    }
    try {
      IbvMr region = domain.regMr(start, (int) bytes, access).execute().free().getMr();
      return new MemoryRegion(region.getLkey(), region.getRkey(), () -> deregister(region));
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private static void deregister(IbvMr region) {
    try {
      region.deregMr().execute().free();
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  @Override
  public NativeQueue createQueue(int requests, int inlineBytes) {
    RdmaCmId own = null;
    IbvCQ completions = null;
    try {
      own = bind();
      completions = context.createCQ(channel, requests + 1, 0);
      IbvQPInitAttr wanted = new IbvQPInitAttr();
      wanted.setQp_type(IbvQP.IBV_QPT_RC);
      wanted.setSend_cq(completions);
      wanted.setRecv_cq(completions);
      wanted.cap().setMax_send_wr(requests);
      wanted.cap().setMax_recv_wr(1);
      wanted.cap().setMax_inline_data(inlineBytes);
      long queuePair = NativeAddress.of(own.createQP(domain, wanted));
      EncodedVerbs.EncodedQueue queue = encoded.queue(queuePair, NativeAddress.of(completions));
      return new Queue(requests, inlineBytes, queuePair, queue, own, completions);
    } catch (IOException | RuntimeException e) {
      try {
        if (completions != null) {
          completions.destroyCQ();
        }
        if (own != null) {
          own.destroyId();
        }
      } catch (IOException | RuntimeException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try {
      if (channel != null) {
        channel.destroyCompChannel();
      }
      if (domain != null) {
        verbs.deallocPd(domain);
      }
      if (id != null) {
        id.destroyId();
      }
      events.destroyEventChannel();
    } catch (IOException | IllegalStateException e) {
      LOG.warn("DiSNI does not free a device", e);
    }
  }

  private record Queue(
      int requests,
      int inlineBytes,
      long queuePair,
      EncodedVerbs.EncodedQueue queue,
      RdmaCmId own,
      IbvCQ completions)
      implements NativeQueue {
    @Override
    public int post(long first) {
      return queue.post(first);
    }

    @Override
    public int poll(long completion) {
      return queue.poll(completion);
    }

    @Override
    public void close() {
      try {
        own.destroyQP();
        completions.destroyCQ();
        own.destroyId();
      } catch (IOException e) {
        throw new IllegalStateException(e.getMessage(), e);
      }
    }
  }
}
