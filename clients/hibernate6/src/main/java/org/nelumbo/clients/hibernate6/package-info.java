/** The dialect for Hibernate ORM 6, which finds it by the name of the database. */
package org.nelumbo.clients.hibernate6;
