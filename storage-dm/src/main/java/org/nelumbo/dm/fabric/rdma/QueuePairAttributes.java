package org.nelumbo.dm.fabric.rdma;

/**
 * The connection attributes of a queue pair, {@code ibv_qp_attr}, 144 bytes. They contain the
 * address of the other side, {@code ibv_ah_attr}: its GID (16 bytes), followed by fields whose
 * offsets count from the start of the address.
 */
final class QueuePairAttributes {
  static final int LENGTH = 144;
  static final int STATE_OFFSET = 0;
  static final int MTU_OFFSET = 8;
  static final int RECEIVE_SEQUENCE_OFFSET = 20;
  static final int SEND_SEQUENCE_OFFSET = 24;
  static final int REMOTE_NUMBER_OFFSET = 28;
  static final int ACCESS_OFFSET = 32;
  static final int ADDRESS_OFFSET = 56;
  static final int ADDRESS_OWN_GID_INDEX_OFFSET = 20;
  static final int ADDRESS_HOPS_OFFSET = 21;
  static final int ADDRESS_LID_OFFSET = 24;
  static final int ADDRESS_IS_GLOBAL_OFFSET = 29;
  static final int ADDRESS_PORT_OFFSET = 30;
  static final int OUTSTANDING_OFFSET = 126;
  static final int OUTSTANDING_HERE_OFFSET = 127;
  static final int NOT_READY_TIMER_OFFSET = 128;
  static final int PORT_OFFSET = 129;
  static final int TIMEOUT_OFFSET = 130;
  static final int RETRIES_OFFSET = 131;
  static final int NOT_READY_RETRIES_OFFSET = 132;

  private static final int INITIALISED = 1;
  private static final int RECEIVING = 2;
  private static final int SENDING = 3;
  private static final int ERROR = 6;

  private static final int STATE = 1;
  private static final int ACCESS = 1 << 3;
  private static final int KEY_INDEX = 1 << 4;
  private static final int PORT = 1 << 5;
  private static final int ADDRESS = 1 << 7;
  private static final int MTU = 1 << 8;
  private static final int TIMEOUT = 1 << 9;
  private static final int RETRIES = 1 << 10;
  private static final int NOT_READY_RETRIES = 1 << 11;
  private static final int RECEIVE_SEQUENCE = 1 << 12;
  private static final int OUTSTANDING = 1 << 13;
  private static final int NOT_READY_TIMER = 1 << 15;
  private static final int SEND_SEQUENCE = 1 << 16;
  private static final int OUTSTANDING_HERE = 1 << 17;
  private static final int REMOTE_NUMBER = 1 << 20;

  private static final int HOPS_MAX = 64;

  /** Exponent of the retransmission timeout: 4.096 us times 2 to this power, that is 0.27 s. */
  private static final int TIMEOUT_POWER = 16;

  /** Number of retransmissions without an acknowledgement; Soft-RoCE treats 7 as unlimited. */
  private static final int RETRIES_MAX = 6;

  /** Code of the standard for 0.64 ms. */
  private static final int NOT_READY_CODE = 12;

  private QueuePairAttributes() {}

  /** Sets the attributes of the transition to INIT; returns their mask. */
  static int initialise(long attributes, int port, int access) {
    NativeMemory.putInt(attributes + STATE_OFFSET, INITIALISED);
    NativeMemory.putInt(attributes + ACCESS_OFFSET, access);
    NativeMemory.putByte(attributes + PORT_OFFSET, port);
    return STATE | KEY_INDEX | PORT | ACCESS;
  }

  /** Sets the attributes of the transition to RTR (ready to receive); returns their mask. */
  static int receive(
      long attributes, int port, int gidIndex, int mtu, int outstanding, Endpoint remote) {
    NativeMemory.putInt(attributes + STATE_OFFSET, RECEIVING);
    NativeMemory.putInt(attributes + MTU_OFFSET, mtu);
    NativeMemory.putInt(attributes + REMOTE_NUMBER_OFFSET, remote.number());
    NativeMemory.putInt(attributes + RECEIVE_SEQUENCE_OFFSET, remote.sequence());
    NativeMemory.putByte(attributes + OUTSTANDING_HERE_OFFSET, outstanding);
    NativeMemory.putByte(attributes + NOT_READY_TIMER_OFFSET, NOT_READY_CODE);
    long address = attributes + ADDRESS_OFFSET;
    NativeMemory.putLong(address, remote.gidHigh());
    NativeMemory.putLong(address + Long.BYTES, remote.gidLow());
    NativeMemory.putByte(address + ADDRESS_OWN_GID_INDEX_OFFSET, gidIndex);
    NativeMemory.putByte(address + ADDRESS_HOPS_OFFSET, HOPS_MAX);
    NativeMemory.putShort(address + ADDRESS_LID_OFFSET, remote.lid());
    NativeMemory.putByte(address + ADDRESS_IS_GLOBAL_OFFSET, 1);
    NativeMemory.putByte(address + ADDRESS_PORT_OFFSET, port);
    return STATE
        | ADDRESS
        | MTU
        | REMOTE_NUMBER
        | RECEIVE_SEQUENCE
        | OUTSTANDING_HERE
        | NOT_READY_TIMER;
  }

  /** Sets the attributes of the transition to RTS (ready to send); returns their mask. */
  static int send(long attributes, int sequence, int outstanding) {
    NativeMemory.putInt(attributes + STATE_OFFSET, SENDING);
    NativeMemory.putInt(attributes + SEND_SEQUENCE_OFFSET, sequence);
    NativeMemory.putByte(attributes + OUTSTANDING_OFFSET, outstanding);
    NativeMemory.putByte(attributes + TIMEOUT_OFFSET, TIMEOUT_POWER);
    NativeMemory.putByte(attributes + RETRIES_OFFSET, RETRIES_MAX);
    NativeMemory.putByte(attributes + NOT_READY_RETRIES_OFFSET, RETRIES_MAX);
    return STATE | SEND_SEQUENCE | OUTSTANDING | TIMEOUT | RETRIES | NOT_READY_RETRIES;
  }

  /** Sets the attributes of the transition to the error state; returns their mask. */
  static int error(long attributes) {
    NativeMemory.putInt(attributes + STATE_OFFSET, ERROR);
    return STATE;
  }
}
