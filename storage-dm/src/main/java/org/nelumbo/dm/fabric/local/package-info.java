/**
 * The fabric of an embedded pool: memory nodes are lazily reserved regions of this process, a verb
 * is a plain memory operation. Entry: {@link org.nelumbo.dm.fabric.local.LocalFabric}.
 */
package org.nelumbo.dm.fabric.local;
