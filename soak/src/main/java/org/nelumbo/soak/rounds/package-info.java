/**
 * Rounds of faults on a pool of real processes, and what is checked after each.
 *
 * <pre>
 *   client 0 ---link 0,0---&gt; memory node 0
 *      |  \------link 0,1---&gt; memory node 1
 *      |   \-----link 0,2---&gt; memory node 2
 *   client 1 ---link 1,0---&gt; ... (waits until the pool is free, and takes it)
 * </pre>
 *
 * <p>{@link org.nelumbo.soak.rounds.ClusterRounds} starts the processes, and for each round: lets
 * the clients work with keys of this round, draws a fault and whom it meets ({@link
 * org.nelumbo.soak.rounds.Fault}), ends it, waits until everything works again, lets each session
 * read everything once more, and checks: the history of the round is serializable ({@link
 * org.nelumbo.checker.HistoryChecker}), every acknowledged commit is in the journal and none that
 * was refused, the money of the bank is all there, tables under change are what a map says, only
 * SQLExceptions with a known SQLState left the driver.
 *
 * <p>At most one memory node is faulty at a time: a pool of three copies loses nothing then.
 */
package org.nelumbo.soak.rounds;
