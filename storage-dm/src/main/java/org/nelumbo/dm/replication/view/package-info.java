/**
 * The view: which memory nodes are live, where the copies lie, and how the nodes are reached. This
 * is the lowest package of replication.
 *
 * <p>{@link org.nelumbo.dm.replication.view.View} is immutable; {@link
 * org.nelumbo.dm.replication.view.CurrentView} holds the view in force and receives failure
 * reports. {@link org.nelumbo.dm.replication.view.Placement} computes the memory node, slot and
 * offset of each copy. {@link org.nelumbo.dm.replication.view.NodeHeader}, {@code HeaderWriter} and
 * {@code ViewRecord} read and write the first page of a memory node ({@link
 * org.nelumbo.dm.layout.NodeHeaderLayout}). {@link org.nelumbo.dm.replication.view.NodeChannels}
 * holds the channels of one user to all nodes and records failures per node. {@code ResyncProgress}
 * states how much of a node is filled.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>View numbers increase.
 *   <li>A view is written to all of its live nodes before it is in force.
 *   <li>The set of live nodes changes only together with the view number.
 * </ul>
 *
 * <p><b>Threads.</b> One thread, the view changer, installs views; all threads read them. A {@code
 * NodeChannels} is confined to one thread.
 */
package org.nelumbo.dm.replication.view;
