/**
 * Processes that are killed, stopped and starved. {@link org.nelumbo.soak.process.ChildProcess}
 * starts a JVM with the class path of this one; signals are those of the operating system.
 */
package org.nelumbo.soak.process;
