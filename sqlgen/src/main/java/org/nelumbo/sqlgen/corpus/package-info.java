/**
 * The command that runs statements and checks their results: Nelumbo's own corpus, and the public
 * sqllogictest corpus.
 *
 * <p>{@link org.nelumbo.sqlgen.corpus.CorpusFile} reads the files of a {@link
 * org.nelumbo.sqlgen.corpus.CorpusSource}. {@link org.nelumbo.sqlgen.corpus.CorpusRun} runs a file
 * against a database, and {@link org.nelumbo.sqlgen.corpus.CorpusCommand} is {@code nelumbo
 * sqllogictest}. One thread at a time.
 */
package org.nelumbo.sqlgen.corpus;
