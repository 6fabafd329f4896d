/** YCSB's operations as key operations of our own engine. */
package org.nelumbo.ycsb.nativeapi;
