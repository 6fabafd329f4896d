/**
 * Messages between compute nodes. A {@link org.nelumbo.dm.peer.PeerNetwork} carries them, and
 * promises little: a message may be lost, doubled, late or overtaken by others. Who sends it has to
 * send it again until it is answered, and who gets it has to know it when it comes twice.
 */
package org.nelumbo.dm.peer;
