/** Result sets: rows of a statement, generated keys, and changes of rows through a result set. */
package org.nelumbo.jdbc.result;
