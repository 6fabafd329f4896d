package org.nelumbo.dm.fabric.shm;

import org.nelumbo.dm.fabric.local.WriteNote;

/**
 * Layout of the table file beside a pool in shared files, which lists the processes that use the
 * pool. The file is sparse, and its length depends on the highest slot (entry) that was in use.
 *
 * <pre>
 *      0  header: magic (8), device and inode of the pool's first file (16), pool id (8)
 *   4096  64 slots of 4096 bytes, one per process
 * 266240  64 areas: the process in slot i owns area i
 *
 * slot     0  tenant id, written last, 0 if the slot is free      8  state
 *         16  process id, start time, namespace of the process
 *         40  lease, ns                                          48  heartbeat, a count
 *         56  number of notes that were ever used
 *         64  number and incarnation of the compute node; the incarnation, written last, is 0 if
 *             it does not receive messages
 *        128  doorbell (4), flag of a sleeping receiver (4), senders of messages, one bit each (8)
 *        256  length of the name (4), the name
 *
 * area     64 rings, one per sender: head (64), tail (64), 64 KiB of messages
 *          8192 notes of WRITEs
 * </pre>
 *
 * The process in slot i holds the operating system lock on byte i of the file until it ends. Byte
 * 64 is the <em>entry lock</em> (door), which a process holds while it joins or leaves.
 */
final class TenantFileLayout {
  static final long MAGIC = 0x0154_4e45_4e45_4c4eL; // "NLENENT", format 1

  static final int ENTRIES = 64;
  static final long DOOR = ENTRIES;

  static final int PAGE = 4096;
  static final long DEVICE_OFFSET = 8;
  static final long NODE_OFFSET = 16;
  static final long POOL_ID_OFFSET = 24;
  static final long HEAD_LENGTH = PAGE + (long) ENTRIES * PAGE;

  static final long ID = 0;
  static final long STATE = 8;
  static final long PID = 16;
  static final long START = 24;
  static final long NAMESPACE = 32;
  static final long LEASE = 40;
  static final long HEARTBEAT = 48;
  static final long NOTES = 56;
  static final long PEER_NODE = 64;
  static final long PEER_INCARNATION = 72;
  static final long DOORBELL = 128;
  static final long SLEEPS = 132;
  static final long SENDERS = 136;
  static final long NAME_LENGTH = 256;
  static final long NAME = 260;
  static final int NAME_BYTES_MAX = 1024;

  /** The process waits until it is admitted. */
  static final long KNOCKING = 1;

  /** The process uses the pool, or used it when it failed. */
  static final long ENTERED = 2;

  static final long RING_HEAD = 0;
  static final long RING_TAIL = 64;
  static final long RING_BYTES_OFFSET = 128;
  static final int RING_BYTES = 64 << 10;
  static final long RING_LENGTH = RING_BYTES_OFFSET + RING_BYTES;
  static final int NOTES_MAX = 8192;
  static final long NOTES_OFFSET = (ENTRIES * RING_LENGTH + PAGE - 1) / PAGE * PAGE;
  static final long AREA_LENGTH = NOTES_OFFSET + (long) NOTES_MAX * WriteNote.LENGTH;

  private TenantFileLayout() {}

  static long entry(int entry) {
    return PAGE + (long) entry * PAGE;
  }

  static long area(int entry) {
    return HEAD_LENGTH + entry * AREA_LENGTH;
  }

  /** Returns the offset of a ring in an area. */
  static long ring(int sender) {
    return sender * RING_LENGTH;
  }

  /** Returns the offset of a note in an area. */
  static long note(int place) {
    return NOTES_OFFSET + (long) place * WriteNote.LENGTH;
  }
}
