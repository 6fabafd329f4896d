/**
 * Rounds of faults on a pool of real processes, and the checks after each.
 *
 * <pre>
 *  client 0 ---link 0,0---&gt; memory node 0
 *   |  \------link 0,1---&gt; memory node 1
 *   |   \-----link 0,2---&gt; memory node 2
 *  client 1 ---link 1,0---&gt; ... (waits until the pool is free, and takes it over)
 * </pre>
 *
 * <p>{@link org.nelumbo.soak.rounds.ClusterRounds} starts the processes. In each round it
 *
 * <ol>
 *   <li>makes the clients work with the keys of this round;
 *   <li>draws a fault and its target ({@link org.nelumbo.soak.rounds.Fault}), and ends it;
 *   <li>waits until all clients and memory nodes work again;
 *   <li>makes each session read all keys of the round once more;
 *   <li>runs the checks.
 * </ol>
 *
 * <p>The checks are:
 *
 * <ul>
 *   <li>The history of the round is serializable ({@link org.nelumbo.checker.HistoryChecker}).
 *   <li>Every acknowledged commit is in the journal, and no refused one is.
 *   <li>The money of the bank is complete.
 *   <li>Tables under schema changes match a map.
 *   <li>Only SQLExceptions with a known SQLState left the driver.
 * </ul>
 *
 * <p>At most one memory node is faulty at a time: then a pool of three copies loses nothing.
 */
package org.nelumbo.soak.rounds;
