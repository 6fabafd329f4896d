/**
 * The database under test, of any product: finding its driver, opening connections, and the small
 * differences between products.
 *
 * <p>{@link org.nelumbo.benchmark.database.Database} is the entry point. The differences between
 * products are data, in one properties file each, which {@link
 * org.nelumbo.benchmark.database.Dialect} reads. A benchmark therefore has one code for all
 * products.
 */
package org.nelumbo.benchmark.database;
