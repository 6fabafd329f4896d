/**
 * Values of JDBC: {@link org.nelumbo.jdbc.value.ParameterConverter} converts arguments of setters
 * to raw values, {@link org.nelumbo.jdbc.value.ColumnConverter} raw values to results of getters.
 * {@link org.nelumbo.jdbc.value.SqlExceptions} creates every {@code SQLException} of the driver.
 */
package org.nelumbo.jdbc.value;
