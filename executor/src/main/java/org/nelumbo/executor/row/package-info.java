/**
 * Types, raw values, keys and row images.
 *
 * <p>A value is a <em>raw</em> {@code long} or object, see {@link org.nelumbo.types.Kind}. A row
 * image is the normalised primary key followed by the rest of the row; {@link
 * org.nelumbo.executor.row.RowLayout} reads single columns from it, {@link
 * org.nelumbo.executor.row.RowWriter} makes it, {@link org.nelumbo.executor.row.KeyEncoder} makes
 * keys, {@link org.nelumbo.executor.row.IndexKeyEncoder} the keys of secondary index entries.
 * Nothing here knows of transactions or SQL text. The native API's users meet this package too.
 */
package org.nelumbo.executor.row;
