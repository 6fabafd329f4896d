package org.nelumbo.jdbc.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Properties;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.fuzz.FuzzSeeds;
import org.nelumbo.jdbc.fuzz.FuzzUrl;
import org.nelumbo.jdbc.value.SqlExceptions;

/**
 * Random URLs and properties are parsed, or refused with 08001 before any resource is opened.
 * {@link FuzzSeeds} describes longer runs and runs of a single seed.
 */
class UrlParsingTest {
  private static final int URLS = 1000;
  private static final long SECONDS = 1;

  @Test
  @Timeout(value = FuzzSeeds.DAYS_MAX, unit = TimeUnit.DAYS)
  void shouldParseOrRejectRandomUrls() throws Exception {
    FuzzSeeds.run("thousand-urls", SECONDS, UrlParsingTest::runSeed);
  }

  private static void runSeed(long seed) {
    FuzzUrl urls = new FuzzUrl(new SplittableRandom(seed), Path.of("/nowhere/at/all"));
    for (int i = 0; i < URLS; i++) {
      String url = urls.url();
      Properties properties = urls.properties();
      if (url.startsWith(ConnectionUrl.PREFIX)) {
        try {
          read(ConnectionUrl.parse(url, properties));
        } catch (Throwable e) {
          SQLException refusal = SqlExceptions.notConnected(e);
          String shown = url + " " + properties + " -> " + refusal;
          assertEquals("08001", refusal.getSQLState(), shown);
          assertFalse(refusal.getMessage().contains("please report"), shown);
        }
      }
    }
  }

  private static void read(ConnectionUrl url) throws SQLException {
    url.request();
    url.checkEmbedded();
    url.wantedPool();
    url.replicas();
    url.expectation(0);
    url.secrets();
    url.tls();
    url.rdma();
  }
}
