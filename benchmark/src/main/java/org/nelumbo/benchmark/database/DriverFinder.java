package org.nelumbo.benchmark.database;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Finds the driver of a URL: first in the jars that the user named, then on the class path, then
 * among the downloaded drivers (see {@link DriverFolder}).
 */
public final class DriverFinder {
  private final List<Driver> extraDrivers = new ArrayList<>();

  /**
   * Loads the drivers of the given jars.
   *
   * @throws SQLException if a jar is missing, or if the jars contain no driver
   */
  public DriverFinder(List<Path> jars) throws SQLException {
    for (Path jar : jars) {
      if (!Files.isReadable(jar)) {
        throw new SQLException("cannot read driver jar " + jar, "08001");
      }
    }
    if (jars.isEmpty()) {
      return;
    }
    extraDrivers.addAll(load(jars));
    if (extraDrivers.isEmpty()) {
      throw new SQLException("no JDBC driver announces itself in " + jars, "08001");
    }
  }

  /**
   * Returns the driver that accepts the URL.
   *
   * @throws SQLException with SQLState 08001 if there is none
   */
  public Driver find(DatabaseUrl url) throws SQLException {
    Optional<Driver> named = accepting(extraDrivers, url);
    if (named.isPresent()) {
      return named.get();
    }
    try {
      return DriverManager.getDriver(url.text());
    } catch (SQLException noneRegistered) {
      return fetched(url)
          .orElseThrow(
              () ->
                  new SQLException(
                      "no JDBC driver accepts "
                          + url
                          + "; name its jar with --driver-jar, or see 'nelumbo bench drivers'",
                      "08001",
                      noneRegistered));
    }
  }

  private static Optional<Driver> fetched(DatabaseUrl url) throws SQLException {
    try {
      for (List<Path> jars : DriverFolder.drivers()) {
        Optional<Driver> driver = accepting(load(jars), url);
        if (driver.isPresent()) {
          return driver;
        }
      }
      return Optional.empty();
    } catch (IOException e) {
      throw new SQLException("cannot read " + DriverFolder.path(), "08001", e);
    }
  }

  private static Optional<Driver> accepting(List<Driver> drivers, DatabaseUrl url)
      throws SQLException {
    for (Driver driver : drivers) {
      if (driver.acceptsURL(url.text())) {
        return Optional.of(driver);
      }
    }
    return Optional.empty();
  }

  private static List<Driver> load(List<Path> jars) {
    URL[] urls = jars.stream().map(DriverFinder::url).toArray(URL[]::new);
    JarsFirst loader = new JarsFirst(urls); // lives as long as the process, as its drivers do
    return ServiceLoader.load(Driver.class, loader).stream()
        .filter(provider -> provider.type().getClassLoader() == loader)
        .map(ServiceLoader.Provider::get)
        .toList();
  }

  private static final class JarsFirst extends URLClassLoader {
    JarsFirst(URL[] jars) {
      super(jars, DriverFinder.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded != null) {
          return loaded;
        }
        try {
          return findClass(name);
        } catch (ClassNotFoundException e) {
          return super.loadClass(name, resolve);
        }
      }
    }
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException("not a file: " + jar, e);
    }
  }
}
