/** The ordered index: a B-link tree of 1 KiB nodes in the pool, in the style of Sherman. */
package org.nelumbo.dm.index.tree;
