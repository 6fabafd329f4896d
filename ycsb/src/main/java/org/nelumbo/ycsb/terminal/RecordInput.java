package org.nelumbo.ycsb.terminal;

import org.nelumbo.benchmark.data.Keys;
import org.nelumbo.benchmark.data.RandomValues;
import org.nelumbo.benchmark.data.Zipf;

/** The inputs of an operation: the record, the fields, the number of records. */
public final class RecordInput {
  /** Fields of a record. */
  public static final int FIELDS = 10;

  /** Length of every field. A value begins with the key of its record, and the rest is random. */
  public static final int FIELD_LENGTH = 100;

  private static final int RANDOM_LENGTH = FIELD_LENGTH - RecordKeys.LENGTH;

  private final RandomValues random;
  private final Records records;
  private final Keys loaded;
  private final Zipf ages;
  private final int scanLengthMax;
  private final String[] values = new String[FIELDS];
  private String key;
  private int record;
  private int field;
  private int scanLength;

  /**
   * Creates the inputs of a terminal.
   *
   * @param loaded distribution over the loaded records
   * @param ages distribution of ages, with the latest record most often, or null to draw from
   *     {@code loaded}
   */
  public RecordInput(
      RandomValues random, Records records, Keys loaded, Zipf ages, int scanLengthMax) {
    this.random = random;
    this.records = records;
    this.loaded = loaded;
    this.ages = ages;
    this.scanLengthMax = scanLengthMax;
  }

  /** Draws an existing record. */
  public void drawRecord() {
    record = ages == null ? loaded.draw(random) : records.there() - 1 - ages.draw(random);
    key = RecordKeys.of(record);
  }

  /** Draws a field of the record and a value for it. */
  public void drawField() {
    field = random.uniform(0, FIELDS - 1);
    values[field] = value(random, key);
  }

  /** Draws the number of records to scan. */
  public void drawScanLength() {
    scanLength = random.uniform(1, scanLengthMax);
  }

  /** Creates the values of a new record. */
  public void drawNewRecord() {
    record = records.take();
    key = RecordKeys.of(record);
    for (int i = 0; i < FIELDS; i++) {
      values[i] = value(random, key);
    }
  }

  /** Reports that the new record has been inserted. */
  public void inserted() {
    records.acknowledge(record);
  }

  /** Returns a value for a field of that record. */
  public static String value(RandomValues random, String key) {
    return key.concat(random.text(RANDOM_LENGTH, RANDOM_LENGTH));
  }

  public String key() {
    return key;
  }

  public int field() {
    return field;
  }

  public String value(int ofField) {
    return values[ofField];
  }

  public int scanLength() {
    return scanLength;
  }
}
