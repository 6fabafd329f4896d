package org.nelumbo.sqlgen.corpus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Where the files of a corpus are: {@link #ours} come with the program, others are in a jar. To be
 * closed.
 */
abstract class CorpusSource implements AutoCloseable {
  private static final String FOLDER = "/corpus/";
  private static final String ENDING = ".test";

  /** The names of the files, in the order in which they are run. */
  abstract List<String> names() throws IOException;

  /** The contents of a file. */
  abstract InputStream open(String name) throws IOException;

  @Override
  public abstract void close() throws IOException;

  /** The statements of a file that are meant for a dialect. */
  List<CorpusRecord> records(String name, String dialect) throws IOException {
    try (BufferedReader in = reader(open(name))) {
      return CorpusFile.read(in, dialect);
    }
  }

  private static BufferedReader reader(InputStream in) {
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  /** The statements that come with the program, in a file for each area. */
  static CorpusSource ours() {
    return new CorpusSource() {
      @Override
      List<String> names() throws IOException {
        try (BufferedReader in = reader(open("areas.txt"))) {
          return in.lines().map(area -> area + ENDING).toList();
        } catch (UncheckedIOException e) {
          throw e.getCause();
        }
      }

      @Override
      InputStream open(String name) {
        return CorpusSource.class.getResourceAsStream(FOLDER + name);
      }

      @Override
      public void close() {}
    };
  }

  /** The files of a jar. */
  static CorpusSource of(Path jar) throws IOException {
    ZipFile zip = new ZipFile(jar.toFile());
    return new CorpusSource() {
      @Override
      List<String> names() {
        return zip.stream().map(ZipEntry::getName).filter(name -> name.endsWith(ENDING)).toList();
      }

      @Override
      InputStream open(String name) throws IOException {
        return zip.getInputStream(zip.getEntry(name));
      }

      @Override
      public void close() throws IOException {
        zip.close();
      }
    };
  }
}
