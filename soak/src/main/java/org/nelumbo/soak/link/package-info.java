/**
 * A TCP link that fails on command.
 *
 * <pre>
 *  client ---&gt; FaultyLink (its own port) ---&gt; memory node
 * </pre>
 *
 * <p>One link connects one client and one memory node, so that each pair, and each direction, can
 * be cut separately. Links are threads of the process that runs the rounds. Their faults are those
 * of a network: connections are reset, bytes stop and arrive later, bytes are delayed, and the
 * state of a connection that was idle for too long is dropped without an error at either end.
 */
package org.nelumbo.soak.link;
