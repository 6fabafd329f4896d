/**
 * The redo log of a durable database: what transactions have written, as rows, in one stream of
 * files; and backups, in files of the same kind.
 *
 * <p>{@link org.nelumbo.dm.redo.file.DatabaseFiles} opens the directory of a database: its newest
 * checkpoint and the log behind that. {@link org.nelumbo.dm.redo.RedoLog} takes entries, and forces
 * many together; {@link org.nelumbo.dm.redo.file.FrameReader} reads them back. {@link
 * org.nelumbo.dm.redo.backup.BackupFiles} opens a directory of backups. What a row means is for
 * others to know: here it is a store's number, a key and an image.
 *
 * <p>{@link org.nelumbo.dm.redo.node.NodeLog} is the log of a memory node, to which {@link
 * org.nelumbo.dm.redo.RedoSender}s of many compute nodes send; {@link
 * org.nelumbo.dm.redo.node.Digest} makes its checkpoints, of files alone. There timestamps are
 * drawn elsewhere, and the order of places is that of what was seen and locked.
 *
 * <p><b>Order.</b> Entries lie in the order of their commit timestamps, since a timestamp is drawn
 * when the entry gets its place. A transaction that has read what another one wrote has its place
 * behind it. So each prefix of the log is a state that somebody could have seen, and what is forced
 * is always a prefix.
 *
 * <p>{@code docs/internals/durability.md} draws the files.
 */
package org.nelumbo.dm.redo;
