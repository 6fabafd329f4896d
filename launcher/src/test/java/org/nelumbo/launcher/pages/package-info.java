/**
 * Tests of the Markdown pages of the project: their commands, outputs, programs, SQL, URLs, links
 * and names of classes. All pages are checked, new ones included.
 */
package org.nelumbo.launcher.pages;
