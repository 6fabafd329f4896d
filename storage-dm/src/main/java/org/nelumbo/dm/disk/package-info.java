/**
 * The directory of files that a durable database lies in, as the engine sees it: {@link
 * org.nelumbo.dm.disk.Disk} and {@link org.nelumbo.dm.disk.DiskFile}. Production uses {@link
 * org.nelumbo.dm.disk.DirectoryDisk}; the simulator has a disk that loses, reorders and tears what
 * was not forced.
 *
 * <p>What is written counts when the file was forced; what was made, renamed or deleted, when the
 * names were forced. A force that has failed says nothing about what was written before it: nobody
 * may force the file again and go on.
 */
package org.nelumbo.dm.disk;
