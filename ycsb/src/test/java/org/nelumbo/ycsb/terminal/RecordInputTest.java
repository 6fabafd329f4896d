package org.nelumbo.ycsb.terminal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.nelumbo.benchmark.data.Keys;
import org.nelumbo.benchmark.data.RandomValues;
import org.nelumbo.benchmark.data.Zipf;

class RecordInputTest {
  private static final int RECORDS = 1_000;
  private static final int DRAWS = 100_000;

  @Test
  void shouldMixAsTheCoreWorkloadsDo() {
    for (CoreWorkload workload : CoreWorkload.values()) {
      int sum = 0;
      for (int share : workload.shares()) {
        sum += share;
      }
      assertEquals(100, sum);
      assertEquals(workload.operations().size(), workload.shares().length);
    }
    assertTrue(CoreWorkload.D.latest());
  }

  @Test
  void shouldMakeDifferentKeysOfOneLength() {
    Set<String> keys = new HashSet<>();
    for (int record = 0; record < 100_000; record++) {
      String key = RecordKeys.of(record);
      assertTrue(key.startsWith("user") && key.length() == 24, key);
      keys.add(key);
    }
    assertEquals(100_000, keys.size());
  }

  @Test
  void shouldDrawTheLatestRecordMostOften() {
    Records records = new Records(RECORDS);
    RecordInput input =
        new RecordInput(
            new RandomValues(5), records, Keys.uniform(RECORDS), new Zipf(RECORDS, 0.99), 10);
    double sum = 0;
    for (int rank = 1; rank <= RECORDS; rank++) {
      sum += Math.pow(rank, -0.99);
    }
    assertEquals(1 / sum, share(input, RecordKeys.of(RECORDS - 1)), 0.01);
    records.acknowledge(records.take());
    assertEquals(1 / sum, share(input, RecordKeys.of(RECORDS)), 0.01);
    assertEquals(Math.pow(2, -0.99) / sum, share(input, RecordKeys.of(RECORDS - 1)), 0.01);
  }

  private static double share(RecordInput input, String key) {
    Map<String, Integer> drawn = new HashMap<>();
    for (int i = 0; i < DRAWS; i++) {
      input.drawRecord();
      drawn.merge(input.key(), 1, Integer::sum);
    }
    return drawn.getOrDefault(key, 0) / (double) DRAWS;
  }

  @Test
  void shouldNotCountRecordsBehindOneThatIsMissing() {
    Records records = new Records(10);
    int first = records.take();
    int second = records.take();
    int third = records.take();
    records.acknowledge(third);
    records.acknowledge(second);
    assertEquals(10, records.there());
    records.acknowledge(first);
    assertEquals(13, records.there());
  }

  @Test
  void shouldGenerateValuesThatStartWithKey() {
    Records records = new Records(RECORDS);
    RecordInput input =
        new RecordInput(new RandomValues(5), records, Keys.uniform(RECORDS), null, 10);
    input.drawNewRecord();
    assertEquals(RecordKeys.of(RECORDS), input.key());
    for (int field = 0; field < RecordInput.FIELDS; field++) {
      assertEquals(100, input.value(field).length());
      assertTrue(input.value(field).startsWith(input.key()));
    }
  }

  @Test
  void shouldScanOneToTheMost() {
    RecordInput input =
        new RecordInput(
            new RandomValues(5), new Records(RECORDS), Keys.uniform(RECORDS), null, 100);
    int sum = 0;
    for (int i = 0; i < 10_000; i++) {
      input.drawScanLength();
      assertTrue(input.scanLength() >= 1 && input.scanLength() <= 100);
      sum += input.scanLength();
    }
    assertEquals(50.5, sum / 10_000.0, 1.5);
  }
}
