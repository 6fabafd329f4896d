/**
 * Agreement among memory nodes on a sequence of decisions, by Paxos: the configurations of a pool,
 * one after the other. Each decision names the acceptors that choose the next one, so the set of
 * acceptors may change, one decision at a time (Lamport, Malkhi, Zhou, "Reconfiguring a State
 * Machine", with a window of one).
 *
 * <pre>
 *   decision 1 {acceptors a b c} -> decision 2 {a b d} -> decision 3 {b d e} -> ...
 *                 chosen by all        by two of a b c      by two of a b d
 * </pre>
 *
 * <p>Memory nodes are passive {@link org.nelumbo.dm.agreement.PaxosAcceptor}s; compute nodes are
 * {@link org.nelumbo.dm.agreement.PaxosProposer}s. Messages may be lost, duplicated, delayed and
 * reordered. An acceptor that has lost its state becomes another acceptor, with another
 * incarnation: it takes part again when a decision names it.
 */
package org.nelumbo.dm.agreement;
