/**
 * Processes that are killed, stopped and starved. {@link org.nelumbo.soak.process.ChildProcess}
 * starts a JVM with the class path of this one; signals are those of the operating system. {@link
 * org.nelumbo.soak.process.ThreadLimit} prevents a process from starting threads. {@link
 * org.nelumbo.soak.process.SmallDisk} is a file system that can be full.
 */
package org.nelumbo.soak.process;
