package org.nelumbo.executor.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.KeyBuffer;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WriteSetTest {
  private final WriteSet writes = new WriteSet();

  private static KeyBuffer key(long lotusKey, int length) {
    KeyBuffer key = new KeyBuffer();
    key.lotusKey = lotusKey;
    key.length = length;
    return key;
  }

  @Test
  void shouldRecordNothingOfRejectedRow() {
    writes.add(null, key(7, 8), 1, false, true);
    writes.clear();
    writes.add(null, key(8, 8), 2, true, false);
    NelumboException refused =
        assertThrows(
            NelumboException.class,
            () -> writes.add(null, key(9, Integer.MAX_VALUE), 3, true, false));
    assertEquals(ErrorCode.LIMIT_EXCEEDED, refused.code());
    assertEquals(1, writes.size());
    assertEquals(-1, writes.findByAddress(9, 3));
    writes.add(null, key(9, 8), 3, true, false);
    assertEquals(1, writes.findByAddress(9, 3));
    assertFalse(writes.isFresh(1));
    writes.clear();
    assertEquals(0, writes.size());
    assertEquals(-1, writes.findByAddress(9, 3));
  }
}
