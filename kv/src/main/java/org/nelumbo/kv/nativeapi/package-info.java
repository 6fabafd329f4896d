/** ReadOne and UpdateOne as key operations of our own engine. */
package org.nelumbo.kv.nativeapi;
