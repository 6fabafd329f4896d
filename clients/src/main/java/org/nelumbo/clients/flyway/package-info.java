/** The plug-in for Flyway, which finds it as a service. */
package org.nelumbo.clients.flyway;
