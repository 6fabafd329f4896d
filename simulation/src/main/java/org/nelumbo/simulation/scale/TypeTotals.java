package org.nelumbo.simulation.scale;

import org.nelumbo.executor.lock.LockCounts;

/** Sums over the committed transactions of one type. */
final class TypeTotals {
  long commits;
  long nanos;
  long roundTrips;
  long localLocks;
  long remoteLocks;
  long lockRoundTrips;

  void add(long took, long trips, LockCounts before, LockCounts after) {
    commits++;
    nanos += took;
    roundTrips += trips;
    localLocks += after.local() - before.local();
    remoteLocks += after.remote() - before.remote();
    lockRoundTrips += after.roundTrips() - before.roundTrips();
  }

  void add(TypeTotals more) {
    commits += more.commits;
    nanos += more.nanos;
    roundTrips += more.roundTrips;
    localLocks += more.localLocks;
    remoteLocks += more.remoteLocks;
    lockRoundTrips += more.lockRoundTrips;
  }

  double remoteShare() {
    long locks = localLocks + remoteLocks;
    return locks == 0 ? 0 : (double) remoteLocks / locks;
  }

  /** Returns the mean of one of the sums. */
  double each(long sum) {
    return commits == 0 ? 0 : (double) sum / commits;
  }
}
