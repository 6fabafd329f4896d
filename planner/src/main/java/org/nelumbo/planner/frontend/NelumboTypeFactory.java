package org.nelumbo.planner.frontend;

import java.nio.charset.Charset;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;
import org.apache.calcite.util.ConversionUtil;

/** Makes Calcite types under our type system; strings are Unicode. Thread-safe. */
public final class NelumboTypeFactory extends SqlTypeFactoryImpl {
  public static final NelumboTypeFactory INSTANCE = new NelumboTypeFactory();

  private NelumboTypeFactory() {
    super(NelumboTypeSystem.INSTANCE);
  }

  @Override
  public Charset getDefaultCharset() {
    return Charset.forName(ConversionUtil.NATIVE_UTF16_CHARSET_NAME);
  }
}
