package org.nelumbo.benchmark.micro;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Builds and reads row images of ten columns, as long as a line of a TPC-C order. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class RowCodec {
  private static final int NUMBERS = 9;
  private static final int TEXT = NUMBERS;

  private final KeyBuffer key = new KeyBuffer();
  private final RowBuffer built = new RowBuffer();
  private final RowBuffer source = new RowBuffer();
  private RowLayout layout;
  private RowWriter writer;
  private RowWriter changer;
  private int number;

  @Setup
  public void open() {
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < NUMBERS; i++) {
      boolean isKey = i < 4;
      columns.add(new Column("C" + i, ColumnType.of(Kind.INTEGER).withNullable(!isKey)));
    }
    columns.add(new Column("INFO", ColumnType.of(Kind.CHAR, 24).withNullable(false)));
    layout =
        new RowLayout(
            new TableSchema(1, "T", columns, new int[] {0, 1, 2, 3}, 0, 2, true, List.of()));
    writer = new RowWriter(layout);
    changer = new RowWriter(layout);
    build();
    source.copy(built.bytes, built.offset, built.length);
  }

  @Benchmark
  public RowBuffer build() {
    number++;
    writer.begin();
    for (int i = 0; i < NUMBERS; i++) {
      writer.setLong(i, number);
    }
    writer.setObject(TEXT, "abcdefghijklmnopqrstuvwx");
    writer.finish(key, built);
    return built;
  }

  @Benchmark
  public RowBuffer change() {
    changer.beginFrom(source.bytes, source.offset, source.length);
    changer.setLong(5, number++);
    changer.finish(key, built);
    return built;
  }

  @Benchmark
  public long readNumbers() {
    long sum = 0;
    for (int i = 0; i < NUMBERS; i++) {
      sum += layout.getLong(source.bytes, source.offset, i);
    }
    return sum;
  }

  @Benchmark
  public String readText() {
    return layout.getString(source.bytes, source.offset, TEXT);
  }

  @Benchmark
  public long makeKey() {
    key.clear();
    for (int i = 0; i < 4; i++) {
      layout.keyFormat().appendLong(key, i, number);
    }
    number++;
    layout.finishKey(key);
    return key.lotusKey;
  }
}
