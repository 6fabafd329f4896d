/**
 * The view: which memory nodes are live, where the copies lie, and how the nodes are reached. The
 * lowest package of replication.
 *
 * <p>{@link org.nelumbo.dm.replication.view.View} is immutable; {@link
 * org.nelumbo.dm.replication.view.CurrentView} has the one in force, and takes reports of failures.
 * {@link org.nelumbo.dm.replication.view.Placement} computes the memory node, slot and offset of
 * each copy. {@link org.nelumbo.dm.replication.view.NodeHeader}, {@code HeaderWriter} and {@code
 * ViewRecord} read and write the first page of a memory node ({@link
 * org.nelumbo.dm.layout.NodeHeaderLayout}). {@link org.nelumbo.dm.replication.view.NodeChannels}
 * are one user's channels to all nodes, which notes failures by node. {@code ResyncProgress} says
 * how much of a node is filled.
 *
 * <p>Invariants: view numbers rise; a view is written to all nodes that are live in it before it is
 * in force; the live nodes change only with the number.
 *
 * <p><b>Threads.</b> One thread, the view changer, installs views; all read them. NodeChannels
 * belong to one thread.
 */
package org.nelumbo.dm.replication.view;
