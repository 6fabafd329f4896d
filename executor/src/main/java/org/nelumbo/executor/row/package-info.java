/**
 * Table schemas, normalized keys and row images.
 *
 * <p>A value is a <em>raw</em> {@code long} or object, see {@link org.nelumbo.types.Kind}. A row
 * image is the normalized primary key followed by the rest of the row. {@link
 * org.nelumbo.executor.row.RowLayout} reads single columns from an image, {@link
 * org.nelumbo.executor.row.RowWriter} builds images, {@link org.nelumbo.executor.row.KeyEncoder}
 * encodes keys, and {@link org.nelumbo.executor.row.IndexKeyEncoder} builds the keys of secondary
 * index entries. The package does not depend on transactions or SQL text; users of the native API
 * use it directly.
 */
package org.nelumbo.executor.row;
