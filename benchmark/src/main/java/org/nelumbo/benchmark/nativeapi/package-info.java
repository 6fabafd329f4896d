/**
 * Terminals that speak the native API of our own engine: key operations in Java. Nothing here is
 * loaded by runs against other products.
 */
package org.nelumbo.benchmark.nativeapi;
