/**
 * The redo log of a durable database: rows that transactions have written, in one stream of files;
 * and backups, in files of the same format.
 *
 * <p>{@link org.nelumbo.dm.redo.file.DatabaseFiles} opens the directory of a database: its newest
 * checkpoint and the log behind it. {@link org.nelumbo.dm.redo.RedoLog} appends entries, and forces
 * many together; {@link org.nelumbo.dm.redo.file.FrameReader} reads them back. {@link
 * org.nelumbo.dm.redo.backup.BackupFiles} opens a directory of backups. This package does not
 * interpret rows: a row is a store's number, a key and an image.
 *
 * <p>{@link org.nelumbo.dm.redo.node.NodeLog} is the log of a memory node, to which {@link
 * org.nelumbo.dm.redo.RedoSender}s of many compute nodes send; {@link
 * org.nelumbo.dm.redo.node.Digest} writes its checkpoints from files alone. Compute nodes draw the
 * timestamps of this log, and its positions follow the order of reads and locks.
 *
 * <p><b>Order.</b> Entries are in the order of their commit timestamps, since a timestamp is drawn
 * when the entry gets its position. A transaction that has read the writes of another has its
 * position behind it. So each prefix of the log is a state that a transaction could have seen, and
 * the forced part is always a prefix.
 *
 * <p>{@code docs/internals/durability.md} contains pictures of the files.
 */
package org.nelumbo.dm.redo;
