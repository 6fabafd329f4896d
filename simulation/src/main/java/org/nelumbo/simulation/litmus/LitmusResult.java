package org.nelumbo.simulation.litmus;

import org.nelumbo.history.History;

/**
 * The result of a run.
 *
 * @param outcome as scripts write it; rows that cannot be read are {@code ?}
 * @param stopped whether the victim was stopped, and did not get through before
 * @param left the locks and INVISIBLE cells that the victim left, a line each
 * @param recovered the rows that the compute node after it finds, as outcomes write them; empty if
 *     nobody stopped
 * @param problem what must not have happened, null if nothing did
 * @param history what the transactions did and saw, those that read the end state included
 * @param hash of the event trace
 */
public record LitmusResult(
    String outcome,
    boolean stopped,
    String left,
    String recovered,
    String problem,
    History history,
    long hash) {}
