package org.nelumbo.simulation.litmus;

import org.nelumbo.history.History;

/**
 * The result of a run.
 *
 * @param outcome outcome as scripts write it; unreadable rows are {@code ?}
 * @param stopped whether the victim was stopped before it ended
 * @param left locks and INVISIBLE cells left by the victim, a line each
 * @param recovered rows that the next compute node finds, as outcomes write them; empty if no
 *     transaction stopped
 * @param problem description of the failed check, null if all passed
 * @param history actions and reads of the transactions, including those that read the end state
 * @param hash hash of the event trace
 */
public record LitmusResult(
    String outcome,
    boolean stopped,
    String left,
    String recovered,
    String problem,
    History history,
    long hash) {}
