package org.nelumbo.dm.fabric.rdma.disni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A program for DiSNI, on the provider by foreign functions: two sides connect by the connection
 * manager, and do what each request is for.
 */
@EnabledIfSystemProperty(
    named = ForeignProviderTest.ADDRESS,
    matches = ".+",
    disabledReason = "no address of an RDMA device is named")
@SuppressWarnings("JdkObsolete") // DiSNI takes linked lists
class ForeignProviderTest {
  /** Property that names an address of the device. */
  static final String ADDRESS = "nelumbo.rdma.address";

  private static final int MILLIS = 20_000;
  private static final int ALL_RIGHTS =
      IbvMr.IBV_ACCESS_LOCAL_WRITE
          | IbvMr.IBV_ACCESS_REMOTE_READ
          | IbvMr.IBV_ACCESS_REMOTE_WRITE
          | IbvMr.IBV_ACCESS_REMOTE_ATOMIC;

  /** A connected side: 256 bytes that are registered. */
  private static final class Side implements AutoCloseable {
    private final RdmaCmId id;
    private final IbvPd domain;
    private final IbvCompChannel channel;
    private final IbvCQ completions;
    private final IbvQP queuePair;
    private final ByteBuffer memory = ByteBuffer.allocateDirect(256).order(ByteOrder.nativeOrder());
    private final IbvMr region;

    Side(RdmaCmId id) throws IOException {
      this.id = id;
      IbvContext context = id.getVerbs();
      assertNotNull(context);
      assertTrue(context.getNumCompVectors() > 0);
      assertTrue(context.getCmd_fd() > 0);
      domain = context.allocPd();
      channel = context.createCompChannel();
      completions = context.createCQ(channel, 16, 0);
      IbvQPInitAttr wanted = new IbvQPInitAttr();
      wanted.setQp_type(IbvQP.IBV_QPT_RC);
      wanted.setSend_cq(completions);
      wanted.setRecv_cq(completions);
      wanted.cap().setMax_send_wr(8);
      wanted.cap().setMax_recv_wr(8);
      wanted.cap().setMax_inline_data(32);
      queuePair = id.createQP(domain, wanted);
      assertTrue(queuePair.getQp_num() > 0);
      region = domain.regMr(memory, ALL_RIGHTS).execute().free().getMr();
    }

    long word(int index) {
      return memory.getLong(8 * index);
    }

    IbvSge element(int index, int words) {
      IbvSge element = new IbvSge();
      element.setAddr(region.getAddr() + 8L * index);
      element.setLength(8 * words);
      element.setLkey(region.getLkey());
      return element;
    }

    IbvSendWR request(int code, int index, int words) {
      IbvSendWR request = new IbvSendWR();
      request.setOpcode(code);
      request.setWr_id(1000L + code);
      request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
      request.setSg_list(new LinkedList<>(List.of(element(index, words))));
      return request;
    }

    /** Waits for an event, and takes completions. */
    List<Long> await(int count) throws IOException {
      IbvWC[] taken = {new IbvWC(), new IbvWC(), new IbvWC(), new IbvWC()};
      SVCPollCq poll = completions.poll(taken, taken.length);
      List<Long> ids = new ArrayList<>();
      while (ids.size() < count) {
        completions.reqNotification(false).execute().free();
        int polls = poll.execute().getPolls();
        for (int i = 0; i < polls; i++) {
          assertEquals(0, taken[i].getStatus());
          assertEquals(queuePair.getQp_num(), taken[i].getQp_num());
          ids.add(taken[i].getWr_id());
        }
        if (ids.size() < count) {
          assertTrue(channel.getCqEvent(completions, MILLIS), "there is no completion");
          completions.ackEvents(1);
        }
      }
      poll.free();
      return ids;
    }

    @Override
    public void close() throws IOException {
      id.disconnect();
      id.destroyQP();
      completions.destroyCQ();
      channel.destroyCompChannel();
      region.deregMr().execute().free();
      try {
        domain.deallocPd();
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      id.destroyId();
    }
  }

  private static RdmaCmId await(RdmaEventChannel events, RdmaCmEvent.EventType kind)
      throws IOException {
    RdmaCmEvent event = events.getCmEvent(MILLIS);
    assertNotNull(event, "no event");
    assertEquals(kind, RdmaCmEvent.EventType.values()[event.getEvent()]);
    event.ackEvent();
    return event.getConnIdPriv();
  }

  @Test
  @Timeout(120)
  void shouldRunAProgramForDisni() throws Exception {
    ForeignProvider.install();
    InetSocketAddress host = new InetSocketAddress(System.getProperty(ADDRESS), 0);
    RdmaEventChannel serverEvents = RdmaEventChannel.createEventChannel();
    RdmaCmId listening = serverEvents.createId(RdmaCm.RDMA_PS_TCP);
    listening.bindAddr(host);
    listening.listen(1);
    InetSocketAddress offered = (InetSocketAddress) listening.getSource();
    assertTrue(offered.getPort() > 0);

    RdmaEventChannel clientEvents = RdmaEventChannel.createEventChannel();
    RdmaCmId calling = clientEvents.createId(RdmaCm.RDMA_PS_TCP);
    calling.resolveAddr(null, offered, MILLIS);
    await(clientEvents, RdmaCmEvent.EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
    calling.resolveRoute(MILLIS);
    await(clientEvents, RdmaCmEvent.EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
    RdmaConnParam parameters = new RdmaConnParam();
    parameters.setRetry_count((byte) 3);
    parameters.setRnr_retry_count((byte) 3);
    try (Side client = new Side(calling)) {
      calling.connect(parameters);
      RdmaCmId called = await(serverEvents, RdmaCmEvent.EventType.RDMA_CM_EVENT_CONNECT_REQUEST);
      try (Side server = new Side(called)) {
        receive(server);
        called.accept(parameters);
        // the library answers the server as the client takes its event
        await(clientEvents, RdmaCmEvent.EventType.RDMA_CM_EVENT_ESTABLISHED);
        await(serverEvents, RdmaCmEvent.EventType.RDMA_CM_EVENT_ESTABLISHED);
        assertEquals(offered, calling.getDestination());
        doAll(client, server);
      }
    }
    listening.destroyId();
    serverEvents.destroyEventChannel();
    clientEvents.destroyEventChannel();
  }

  private static void receive(Side server) throws IOException {
    IbvRecvWR request = new IbvRecvWR();
    request.setWr_id(77);
    request.setSg_list(new LinkedList<>(List.of(server.element(8, 2))));
    server.queuePair.postRecv(List.of(request), null).execute().free();
  }

  private static void doAll(Side client, Side server) throws IOException {
    server.memory.putLong(0, 40).putLong(8, 41);
    client.memory.putLong(0, 10).putLong(8, 11);
    IbvSendWR send = client.request(IbvSendWR.IBV_WR_SEND, 0, 2);
    IbvSendWR write = client.request(IbvSendWR.IBV_WR_RDMA_WRITE, 0, 1);
    write.getRdma().setRemote_addr(server.region.getAddr() + 16);
    write.getRdma().setRkey(server.region.getRkey());
    IbvSendWR read = client.request(IbvSendWR.IBV_WR_RDMA_READ, 4, 2);
    read.getRdma().setRemote_addr(server.region.getAddr());
    read.getRdma().setRkey(server.region.getRkey());
    client.queuePair.postSend(List.of(send, write, read), null).execute().free();
    assertEquals(List.of(1002L, 1000L, 1004L), client.await(3));
    assertEquals(List.of(77L), server.await(1));
    assertEquals(10, server.word(8), "what was sent");
    assertEquals(11, server.word(9));
    assertEquals(10, server.word(2), "what was written");
    assertEquals(40, client.word(4), "what was read");
    assertEquals(41, client.word(5));

    IbvSendWR swap = client.request(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, 6, 1);
    swap.getAtomic().setRemote_addr(server.region.getAddr());
    swap.getAtomic().setRkey(server.region.getRkey());
    swap.getAtomic().setCompare_add(40);
    swap.getAtomic().setSwap(50);
    IbvSendWR add = client.request(IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD, 7, 1);
    add.getAtomic().setRemote_addr(server.region.getAddr());
    add.getAtomic().setRkey(server.region.getRkey());
    add.getAtomic().setCompare_add(5);
    SVCPostSend atomics = client.queuePair.postSend(List.of(swap, add), null);
    atomics.execute();
    assertEquals(List.of(1005L, 1006L), client.await(2));
    assertEquals(40, client.word(6));
    assertEquals(50, client.word(7));
    assertEquals(55, server.word(0));
    atomics.execute(); // now the swap finds something else
    client.await(2);
    assertEquals(55, client.word(6));
    assertEquals(60, server.word(0));
    atomics.free();
  }
}
