/**
 * The database under test, whatever product it is: finding its driver, opening connections, and the
 * small differences between products.
 *
 * <p>{@link org.nelumbo.benchmark.database.Database} is the entry. What differs between products is
 * data, one properties file each, read by {@link org.nelumbo.benchmark.database.Dialect}: a
 * benchmark has one code for all of them.
 */
package org.nelumbo.benchmark.database;
