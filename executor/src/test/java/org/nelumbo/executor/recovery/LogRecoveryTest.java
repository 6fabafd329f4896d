package org.nelumbo.executor.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.LogLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * The log of one transaction that its compute node left behind. The transaction has written row 1,
 * whose cell is still INVISIBLE; another row has the version of an earlier commit.
 */
class LogRecoveryTest {
  private static final long DIRECTORY = PoolAddress.of(0, 64 << 10);
  private static final long LOG = PoolAddress.of(0, 128 << 10);
  private static final long WRITTEN = PoolAddress.of(0, 256 << 10);
  private static final long OTHER = PoolAddress.of(0, 257 << 10);
  private static final long WORD_WRITTEN = CellLayout.word0(1, 2, false, 4096);
  private static final long WORD_OTHER = CellLayout.word0(1, 2, false, 8192);
  private static final long ID = 7;
  private static final long VERSION = 1000;

  private final LocalFabric fabric = new LocalFabric(1 << 20);
  private final Channel channel = fabric.openChannel(64 << 10);

  @BeforeEach
  void writeRows() {
    long named = SuperblockLayout.computeNode(0) + SuperblockLayout.COMPUTE_NODE_LOGS_OFFSET;
    channel.writeLong(named, DIRECTORY);
    channel.writeLong(DIRECTORY + LogLayout.DIRECTORY_LOGS_OFFSET, LOG);
    writeCell(WRITTEN, WORD_WRITTEN, CellLayout.invisible(ID));
    writeCell(OTHER, WORD_OTHER, VERSION);
    channel.flush();
  }

  @AfterEach
  void close() {
    channel.close();
    fabric.close();
  }

  private void writeCell(long cvt, long word0, long version) {
    channel.writeLong(cvt + CvtLayout.cellOffset(0), word0);
    channel.writeLong(
        cvt + CvtLayout.cellOffset(0) + Long.BYTES,
        CellLayout.word1(version, CellLayout.headCv(word0)));
  }

  private void writeEntry(int entry, long cvt, long word0) {
    long at = LOG + LogLayout.ENTRIES_OFFSET + (long) entry * LogLayout.ENTRY_LENGTH;
    channel.writeLong(at, LogLayout.entryWord0(cvt, 0));
    channel.writeLong(at + Long.BYTES, word0);
  }

  private void writeHeader(int count, long checksum) {
    channel.writeLong(LOG + LogLayout.TRANSACTION_OFFSET, ID);
    channel.writeLong(LOG + LogLayout.COUNT_OFFSET, count);
    channel.writeLong(LOG + LogLayout.CHECKSUM_OFFSET, checksum);
    channel.flush();
  }

  private static long checksum(long... words) {
    long checksum = LogLayout.addToChecksum(0, ID);
    for (long word : words) {
      checksum = LogLayout.addToChecksum(checksum, word);
    }
    return checksum;
  }

  private int recover() {
    RecoveryCounts counts = new RecoveryCounts(new SystemEnvironment());
    new LogRecovery(channel, null, counts).runOf(0);
    return counts.committed;
  }

  private long versionWritten() {
    channel.read(WRITTEN + CvtLayout.cellOffset(0) + Long.BYTES, 0, Long.BYTES);
    channel.flush();
    return CellLayout.version(channel.staging().get(ValueLayout.JAVA_LONG, 0));
  }

  @Test
  void shouldCompleteATransactionOfWhichARowIsVisible() {
    writeEntry(0, WRITTEN, WORD_WRITTEN);
    writeEntry(1, OTHER, WORD_OTHER);
    writeHeader(
        2,
        checksum(
            LogLayout.entryWord0(WRITTEN, 0),
            WORD_WRITTEN,
            LogLayout.entryWord0(OTHER, 0),
            WORD_OTHER));
    assertEquals(1, recover());
    assertEquals(VERSION, versionWritten());
  }

  /** The second entry is that of the transaction before, whose version is not that of this one. */
  @Test
  void shouldIgnoreTornLog() {
    writeEntry(0, WRITTEN, WORD_WRITTEN);
    writeEntry(1, OTHER, WORD_OTHER);
    writeHeader(
        2,
        checksum(
            LogLayout.entryWord0(WRITTEN, 0),
            WORD_WRITTEN,
            LogLayout.entryWord0(OTHER + 64, 0),
            WORD_OTHER));
    assertEquals(0, recover());
    assertTrue(CellLayout.isInvisible(versionWritten()));
  }

  /** The log ends before its second block: the address of that is not there. */
  @Test
  void shouldIgnoreTruncatedLog() {
    writeEntry(0, WRITTEN, WORD_WRITTEN);
    writeEntry(1, OTHER, WORD_OTHER);
    writeHeader(
        LogLayout.ENTRIES_PER_BLOCK + 1, checksum(LogLayout.entryWord0(WRITTEN, 0), WORD_WRITTEN));
    assertEquals(0, recover());
    assertTrue(CellLayout.isInvisible(versionWritten()));
  }
}
