package org.nelumbo.dm.fabric.rdma.disni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.fabric.rdma.NativeMemory;
import org.nelumbo.dm.fabric.rdma.SendRequest;

/** How lists of DiSNI's requests are encoded, without a device. */
@SuppressWarnings("JdkObsolete") // DiSNI takes linked lists
class PostSendTest {
  /** Keeps what is posted. */
  private static final class Posted implements EncodedVerbs.EncodedQueue {
    private final List<Long> lists = new ArrayList<>();
    private int error;

    @Override
    public int post(long first) {
      lists.add(first);
      return error;
    }

    @Override
    public int poll(int count, long completions) {
      return 0;
    }
  }

  private final Posted posted = new Posted();

  @BeforeAll
  static void install() throws ReflectiveOperationException {
    ForeignProvider.install();
  }

  private static IbvSendWR request(int code, IbvSge... elements) {
    IbvSendWR request = new IbvSendWR();
    request.setWr_id(code + 100L);
    request.setOpcode(code);
    request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
    request.setSg_list(new LinkedList<>(List.of(elements)));
    return request;
  }

  private static IbvSge element(long address, int bytes, int key) {
    IbvSge element = new IbvSge();
    element.setAddr(address);
    element.setLength(bytes);
    element.setLkey(key);
    return element;
  }

  private PostSend post(IbvSendWR... requests) throws IOException {
    return new PostSend(new IbvQP(7), posted, List.of(requests));
  }

  @Test
  void shouldEncodeAListWithItsElements() throws IOException {
    IbvSendWR read = request(IbvSendWR.IBV_WR_RDMA_READ, element(1, 2, 3), element(4, 5, 6));
    read.getRdma().setRemote_addr(0x1000);
    read.getRdma().setRkey(77);
    IbvSendWR swap = request(IbvSendWR.IBV_WR_ATOMIC_CMP_AND_SWP, element(7, 8, 9));
    swap.getAtomic().setRemote_addr(0x2000);
    swap.getAtomic().setCompare_add(11);
    swap.getAtomic().setSwap(12);
    swap.getAtomic().setRkey(88);
    PostSend list = post(read, swap);
    list.execute();
    long first = posted.lists.getFirst();
    assertEquals(104, NativeMemory.getLong(first));
    assertEquals(2, NativeMemory.getInt(first + SendRequest.ELEMENT_COUNT_OFFSET));
    assertEquals(SendRequest.READ, NativeMemory.getInt(first + SendRequest.CODE_OFFSET));
    assertEquals(2, NativeMemory.getInt(first + SendRequest.FLAGS_OFFSET));
    assertEquals(0x1000, NativeMemory.getLong(first + SendRequest.REMOTE_OFFSET));
    assertEquals(77, NativeMemory.getInt(first + SendRequest.KEY_OFFSET));
    long elements = NativeMemory.getLong(first + SendRequest.ELEMENTS_OFFSET);
    long other = elements + SendRequest.ELEMENT_LENGTH;
    assertEquals(1, NativeMemory.getLong(elements));
    assertEquals(2, NativeMemory.getInt(elements + SendRequest.ELEMENT_BYTES_OFFSET));
    assertEquals(3, NativeMemory.getInt(elements + SendRequest.ELEMENT_KEY_OFFSET));
    assertEquals(4, NativeMemory.getLong(other));
    long second = NativeMemory.getLong(first + SendRequest.NEXT_OFFSET);
    assertEquals(0, NativeMemory.getLong(second + SendRequest.NEXT_OFFSET));
    assertEquals(
        SendRequest.COMPARE_AND_SWAP, NativeMemory.getInt(second + SendRequest.CODE_OFFSET));
    assertEquals(0x2000, NativeMemory.getLong(second + SendRequest.REMOTE_OFFSET));
    assertEquals(11, NativeMemory.getLong(second + SendRequest.COMPARE_ADD_OFFSET));
    assertEquals(12, NativeMemory.getLong(second + SendRequest.SWAP_OFFSET));
    assertEquals(88, NativeMemory.getInt(second + SendRequest.ATOMIC_KEY_OFFSET));
    assertEquals(
        7, NativeMemory.getLong(NativeMemory.getLong(second + SendRequest.ELEMENTS_OFFSET)));
  }

  @Test
  void shouldBeChangedBetweenTwoTimes() throws IOException {
    PostSend list = post(request(IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD, element(1, 8, 3)));
    SVCPostSend.SendWRMod request = list.getWrMod(0);
    request.setWr_id(5);
    request.setSend_flags(0);
    request.getRdmaMod().setRemote_addr(6);
    request.getRdmaMod().setRkey(7);
    request.getSgeMod(0).setAddr(8);
    request.getSgeMod(0).setLength(9);
    request.getSgeMod(0).setLkey(10);
    long first = list.first();
    assertEquals(5, NativeMemory.getLong(first));
    assertEquals(5, request.getWr_id());
    assertEquals(0, request.getSend_flags());
    assertEquals(IbvSendWR.IBV_WR_ATOMIC_FETCH_AND_ADD, request.getOpcode());
    assertEquals(6, NativeMemory.getLong(first + SendRequest.REMOTE_OFFSET));
    assertEquals(7, NativeMemory.getInt(first + SendRequest.ATOMIC_KEY_OFFSET));
    assertEquals(0, NativeMemory.getLong(first + SendRequest.COMPARE_ADD_OFFSET));
    assertEquals(8, request.getSgeMod(0).getAddr());
    assertEquals(9, request.getSgeMod(0).getLength());
    assertEquals(10, request.getSgeMod(0).getLkey());
    assertThrows(IndexOutOfBoundsException.class, () -> list.getWrMod(1));
    assertThrows(IndexOutOfBoundsException.class, () -> request.getSgeMod(1));
  }

  @Test
  void shouldRefuseWhatCannotBePosted() throws IOException {
    assertThrows(IOException.class, () -> post());
    assertThrows(IOException.class, () -> post(request(99, element(1, 2, 3))));
    PostSend list = post(request(IbvSendWR.IBV_WR_SEND, element(1, 2, 3)));
    posted.error = 12;
    IOException e = assertThrows(IOException.class, list::execute);
    assertTrue(e.getMessage().contains("error=12"), e.getMessage());
    assertTrue(list.isValid());
    assertFalse(list.free().isValid());
    assertThrows(IOException.class, list::execute);
    IbvQP closed = new IbvQP(8);
    closed.close();
    PostSend late =
        new PostSend(closed, posted, List.of(request(IbvSendWR.IBV_WR_SEND, element(1, 2, 3))));
    assertThrows(IOException.class, late::execute);
  }
}
