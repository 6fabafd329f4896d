/** The lock table of a compute node. */
package org.nelumbo.executor.lock;
