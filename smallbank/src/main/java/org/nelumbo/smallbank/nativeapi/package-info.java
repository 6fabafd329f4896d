/** The six transactions as key operations of our own engine. */
package org.nelumbo.smallbank.nativeapi;
