/**
 * The directory of files of a durable database, as the engine sees it: {@link
 * org.nelumbo.dm.disk.Disk} and {@link org.nelumbo.dm.disk.DiskFile}. Production uses {@link
 * org.nelumbo.dm.disk.DirectoryDisk}; the simulator has a disk that loses, reorders and tears data
 * that was not forced.
 *
 * <p>Written data is durable once the file was forced; creations, deletions and renamings are
 * durable once the names were forced. After a failed force the state of earlier writes is unknown:
 * the file must not be forced again and used further.
 */
package org.nelumbo.dm.disk;
