package org.nelumbo.simulation.figure;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.simulation.world.SimRandom;

/** The transactions of a published benchmark, as the rows that they access. */
abstract class PublishedMix {
  /** CVTs in the version table caches of the nine compute nodes (LOTUS section 8.1). */
  private static final double CACHED = 9 * (64 << 10);

  /** Returns the bytes of a record. */
  abstract int recordBytes();

  /** Returns the rows of the next transaction; it runs where the lock of the first one is. */
  abstract List<RowAccess> next(SimRandom random);

  /** Returns the probability that LOTUS has the CVT of a row in its version table cache. */
  abstract double cachedShare(RowAccess row);

  /**
   * Returns SmallBank with 20 million accounts (LOTUS section 8.1), in the mix of 15 Amalgamate, 15
   * Balance, 15 DepositChecking, 25 SendPayment, 15 TransactSavings and 15 WriteCheck. Nine of ten
   * accounts are drawn from a hot set of 4 %, as in FORD's configuration, since LOTUS names none.
   */
  static PublishedMix smallBank() {
    return new SmallBank();
  }

  /**
   * Returns the microbenchmark KVS (LOTUS section 8.2): one of 20 million records of 40 bytes, read
   * or updated.
   *
   * @param writes share of the transactions that update
   */
  static PublishedMix keyValues(double writes) {
    return new KeyValues(writes);
  }

  private static final class SmallBank extends PublishedMix {
    private static final long ACCOUNTS = 20_000_000;
    private static final int SAVINGS = 0;
    private static final int CHECKING = 1;
    private static final long HOT = ACCOUNTS / 25;

    @Override
    int recordBytes() {
      return 16;
    }

    @Override
    double cachedShare(RowAccess row) {
      return row.row() < HOT ? CACHED / (2 * HOT) : 0;
    }

    private static long account(SimRandom random) {
      return random.nextLong(random.chance(0.9) ? HOT : ACCOUNTS);
    }

    @Override
    List<RowAccess> next(SimRandom random) {
      long one = account(random);
      long other = account(random);
      int drawn = random.nextInt(100);
      List<RowAccess> rows = new ArrayList<>();
      if (drawn < 15) { // Amalgamate
        rows.add(new RowAccess(SAVINGS, one, true));
        rows.add(new RowAccess(CHECKING, one, true));
        rows.add(new RowAccess(CHECKING, other, true));
      } else if (drawn < 30) { // Balance
        rows.add(new RowAccess(SAVINGS, one, false));
        rows.add(new RowAccess(CHECKING, one, false));
      } else if (drawn < 45) { // DepositChecking
        rows.add(new RowAccess(CHECKING, one, true));
      } else if (drawn < 70) { // SendPayment
        rows.add(new RowAccess(CHECKING, one, true));
        rows.add(new RowAccess(CHECKING, other, true));
      } else if (drawn < 85) { // TransactSavings
        rows.add(new RowAccess(SAVINGS, one, true));
      } else { // WriteCheck
        rows.add(new RowAccess(SAVINGS, one, false));
        rows.add(new RowAccess(CHECKING, one, true));
      }
      return rows;
    }
  }

  private static final class KeyValues extends PublishedMix {
    private static final long RECORDS = 20_000_000;

    private final double writes;

    KeyValues(double writes) {
      this.writes = writes;
    }

    @Override
    int recordBytes() {
      return 40;
    }

    @Override
    double cachedShare(RowAccess row) {
      return CACHED / RECORDS;
    }

    @Override
    List<RowAccess> next(SimRandom random) {
      return List.of(new RowAccess(0, random.nextLong(RECORDS), random.chance(writes)));
    }
  }
}
