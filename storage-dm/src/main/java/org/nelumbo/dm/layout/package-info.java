/** Where every byte of the pool lies: one class a layout. */
package org.nelumbo.dm.layout;
