/* Prints where the fields of the structures of libibverbs and librdmacm lie, as constants of Java's classes name them. */
#include <infiniband/verbs.h>
#include <rdma/rdma_cma.h>
#include <stddef.h>
#include <stdio.h>

#define FIELD(name, structure, field) printf("%s %zu\n", name, offsetof(struct structure, field))
#define SIZE(name, structure) printf("%s %zu\n", name, sizeof(struct structure))
#define VALUE(name, value) printf("%s %d\n", name, (int)(value))

int main(void) {
  SIZE("SendRequest.LENGTH", ibv_send_wr);
  FIELD("SendRequest.NEXT_OFFSET", ibv_send_wr, next);
  FIELD("SendRequest.ELEMENTS_OFFSET", ibv_send_wr, sg_list);
  FIELD("SendRequest.ELEMENT_COUNT_OFFSET", ibv_send_wr, num_sge);
  FIELD("SendRequest.CODE_OFFSET", ibv_send_wr, opcode);
  FIELD("SendRequest.FLAGS_OFFSET", ibv_send_wr, send_flags);
  FIELD("SendRequest.REMOTE_OFFSET", ibv_send_wr, wr.rdma.remote_addr);
  FIELD("SendRequest.REMOTE_OFFSET", ibv_send_wr, wr.atomic.remote_addr);
  FIELD("SendRequest.KEY_OFFSET", ibv_send_wr, wr.rdma.rkey);
  FIELD("SendRequest.COMPARE_ADD_OFFSET", ibv_send_wr, wr.atomic.compare_add);
  FIELD("SendRequest.SWAP_OFFSET", ibv_send_wr, wr.atomic.swap);
  FIELD("SendRequest.ATOMIC_KEY_OFFSET", ibv_send_wr, wr.atomic.rkey);
  SIZE("SendRequest.ELEMENT_LENGTH", ibv_sge);
  FIELD("SendRequest.ELEMENT_BYTES_OFFSET", ibv_sge, length);
  FIELD("SendRequest.ELEMENT_KEY_OFFSET", ibv_sge, lkey);
  VALUE("SendRequest.WRITE", IBV_WR_RDMA_WRITE);
  VALUE("SendRequest.READ", IBV_WR_RDMA_READ);
  VALUE("SendRequest.COMPARE_AND_SWAP", IBV_WR_ATOMIC_CMP_AND_SWP);
  VALUE("SendRequest.FETCH_AND_ADD", IBV_WR_ATOMIC_FETCH_AND_ADD);
  VALUE("SendRequest.FENCE", IBV_SEND_FENCE);
  VALUE("SendRequest.SIGNALED", IBV_SEND_SIGNALED);
  VALUE("SendRequest.INLINE", IBV_SEND_INLINE);
  SIZE("Completion.LENGTH", ibv_wc);
  FIELD("Completion.STATUS_OFFSET", ibv_wc, status);
  FIELD("Completion.VENDOR_OFFSET", ibv_wc, vendor_err);
  SIZE("QueuePairSettings.LENGTH", ibv_qp_init_attr);
  FIELD("QueuePairSettings.SEND_COMPLETIONS_OFFSET", ibv_qp_init_attr, send_cq);
  FIELD("QueuePairSettings.RECEIVE_COMPLETIONS_OFFSET", ibv_qp_init_attr, recv_cq);
  FIELD("QueuePairSettings.SEND_REQUESTS_OFFSET", ibv_qp_init_attr, cap.max_send_wr);
  FIELD("QueuePairSettings.RECEIVE_REQUESTS_OFFSET", ibv_qp_init_attr, cap.max_recv_wr);
  FIELD("QueuePairSettings.SEND_ELEMENTS_OFFSET", ibv_qp_init_attr, cap.max_send_sge);
  FIELD("QueuePairSettings.RECEIVE_ELEMENTS_OFFSET", ibv_qp_init_attr, cap.max_recv_sge);
  FIELD("QueuePairSettings.INLINE_BYTES_OFFSET", ibv_qp_init_attr, cap.max_inline_data);
  FIELD("QueuePairSettings.TYPE_OFFSET", ibv_qp_init_attr, qp_type);
  VALUE("QueuePairSettings.RELIABLE_CONNECTION", IBV_QPT_RC);
  SIZE("QueuePairAttributes.LENGTH", ibv_qp_attr);
  FIELD("QueuePairAttributes.STATE_OFFSET", ibv_qp_attr, qp_state);
  FIELD("QueuePairAttributes.MTU_OFFSET", ibv_qp_attr, path_mtu);
  FIELD("QueuePairAttributes.RECEIVE_SEQUENCE_OFFSET", ibv_qp_attr, rq_psn);
  FIELD("QueuePairAttributes.SEND_SEQUENCE_OFFSET", ibv_qp_attr, sq_psn);
  FIELD("QueuePairAttributes.REMOTE_NUMBER_OFFSET", ibv_qp_attr, dest_qp_num);
  FIELD("QueuePairAttributes.ACCESS_OFFSET", ibv_qp_attr, qp_access_flags);
  FIELD("QueuePairAttributes.ADDRESS_OFFSET", ibv_qp_attr, ah_attr);
  FIELD("QueuePairAttributes.ADDRESS_OWN_GID_INDEX_OFFSET", ibv_ah_attr, grh.sgid_index);
  FIELD("QueuePairAttributes.ADDRESS_HOPS_OFFSET", ibv_ah_attr, grh.hop_limit);
  FIELD("QueuePairAttributes.ADDRESS_LID_OFFSET", ibv_ah_attr, dlid);
  FIELD("QueuePairAttributes.ADDRESS_IS_GLOBAL_OFFSET", ibv_ah_attr, is_global);
  FIELD("QueuePairAttributes.ADDRESS_PORT_OFFSET", ibv_ah_attr, port_num);
  FIELD("QueuePairAttributes.OUTSTANDING_OFFSET", ibv_qp_attr, max_rd_atomic);
  FIELD("QueuePairAttributes.OUTSTANDING_HERE_OFFSET", ibv_qp_attr, max_dest_rd_atomic);
  FIELD("QueuePairAttributes.NOT_READY_TIMER_OFFSET", ibv_qp_attr, min_rnr_timer);
  FIELD("QueuePairAttributes.PORT_OFFSET", ibv_qp_attr, port_num);
  FIELD("QueuePairAttributes.TIMEOUT_OFFSET", ibv_qp_attr, timeout);
  FIELD("QueuePairAttributes.RETRIES_OFFSET", ibv_qp_attr, retry_cnt);
  FIELD("QueuePairAttributes.NOT_READY_RETRIES_OFFSET", ibv_qp_attr, rnr_retry);
  SIZE("RdmaDevice.ATTRIBUTES_LENGTH", ibv_device_attr);
  FIELD("RdmaDevice.REQUESTS_OFFSET", ibv_device_attr, max_qp_wr);
  FIELD("RdmaDevice.OUTSTANDING_HERE_OFFSET", ibv_device_attr, max_qp_rd_atom);
  FIELD("RdmaDevice.OUTSTANDING_OFFSET", ibv_device_attr, max_qp_init_rd_atom);
  FIELD("RdmaDevice.ATOMICS_OFFSET", ibv_device_attr, atomic_cap);
  SIZE("RdmaDevice.PORT_LENGTH", ibv_port_attr);
  FIELD("RdmaDevice.PORT_STATE_OFFSET", ibv_port_attr, state);
  FIELD("RdmaDevice.PORT_MTU_OFFSET", ibv_port_attr, active_mtu);
  FIELD("RdmaDevice.PORT_GIDS_OFFSET", ibv_port_attr, gid_tbl_len);
  FIELD("RdmaDevice.PORT_LID_OFFSET", ibv_port_attr, lid);
  FIELD("RdmaDevice.PORT_LINK_OFFSET", ibv_port_attr, link_layer);
  SIZE("GidEntry.LENGTH", ibv_gid_entry);
  FIELD("GidEntry.TYPE_OFFSET", ibv_gid_entry, gid_type);
  FIELD("QueuePair.NUMBER_OFFSET", ibv_qp, qp_num);
  FIELD("MemoryRegion.LOCAL_KEY_OFFSET", ibv_mr, lkey);
  FIELD("MemoryRegion.REMOTE_KEY_OFFSET", ibv_mr, rkey);
  FIELD("VerbsLibrary.POLL_OFFSET", ibv_context, ops.poll_cq);
  FIELD("VerbsLibrary.POST_OFFSET", ibv_context, ops.post_send);
  FIELD("disni.ForeignVerbs.OWNER_OFFSET", ibv_qp, context);
  FIELD("disni.ForeignCm.CONTEXT_OFFSET", rdma_cm_id, verbs);
  FIELD("disni.ForeignCm.QUEUE_PAIR_OFFSET", rdma_cm_id, qp);
  return 0;
}
