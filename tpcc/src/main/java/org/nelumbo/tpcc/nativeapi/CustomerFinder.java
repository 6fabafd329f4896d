package org.nelumbo.tpcc.nativeapi;

import java.util.Arrays;
import org.nelumbo.dm.index.tree.ScanDirection;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.KeyFormat;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.txn.RangeScan;
import org.nelumbo.tpcc.terminal.CustomerInput;

/** Finds the number of the customer that a user requests (clauses 2.5.2.2 and 2.6.2.2). */
final class CustomerFinder {
  /** Expected customers with a name: there are a thousand names for three thousand customers. */
  private static final int EXPECTED = 4;

  private final TpccSession session;
  private final RangeScan scan;
  private final KeyFormat format;
  private final KeyBuffer prefix = new KeyBuffer();
  private final RowBuffer row = new RowBuffer();
  private final int number;
  private int[] found = new int[16];

  CustomerFinder(TpccSession session) {
    this.session = session;
    this.scan = session.transaction.newRangeScan();
    this.format = session.tables.customerByName.encoder().format();
    this.number = session.tables.customer.column("c_id");
  }

  /** Returns the customer's number, which is looked up if the request is by name. */
  int find(CustomerInput input) {
    return input.lastName() == null ? input.number() : middleOfName(input);
  }

  /**
   * Selects, of n customers with that name in order of their first names, the one at position
   * ceil(n/2).
   */
  private int middleOfName(CustomerInput input) {
    prefix.clear();
    format.appendLong(prefix, 0, input.warehouse());
    format.appendLong(prefix, 1, input.district());
    format.appendObject(prefix, 2, input.lastName());
    session.ok(
        scan.openPrefix(
            session.tables.customerByName,
            prefix,
            ScanDirection.ASCENDING,
            LockMode.READ,
            EXPECTED));
    int count = 0;
    while (session.next(scan, row)) {
      if (count == found.length) {
        found = Arrays.copyOf(found, 2 * count);
      }
      found[count++] =
          (int) session.tables.customer.layout().getLong(row.bytes, row.offset, number);
    }
    if (count == 0) {
      throw new IllegalStateException(
          "no customer "
              + input.lastName()
              + " warehouse="
              + input.warehouse()
              + " district="
              + input.district());
    }
    return found[CustomerInput.middle(count)];
  }
}
