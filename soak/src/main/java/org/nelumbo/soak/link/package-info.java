/**
 * A TCP link that fails on command.
 *
 * <pre>
 *   client ---&gt; FaultyLink (a port of its own) ---&gt; memory node
 * </pre>
 *
 * <p>One link stands between one client and one memory node, so that each pair can be cut off by
 * itself, and each direction by itself. Links are threads of the process that runs the rounds; what
 * they do to a connection is what a network does: connections are reset, bytes stop to arrive and
 * arrive later, bytes arrive slowly, and a connection that was idle too long is forgotten without a
 * word to either end.
 */
package org.nelumbo.soak.link;
