package org.nelumbo.benchmark.report;

import com.grack.nanojson.JsonArray;
import com.grack.nanojson.JsonObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Converts records to JSON objects and back; {@code rolledBack} becomes {@code rolled_back}.
 * Components may be strings, numbers, booleans, records, lists, and maps from strings to these. A
 * missing field reads as empty, 0 or false, so that a newer program can read an older file.
 */
final class JsonRecords {
  private JsonRecords() {}

  /** Returns the name of a component in JSON. */
  static String jsonName(String component) {
    return component.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  /** Converts a record to an object with its components in order. */
  static JsonObject toJson(Record value) {
    JsonObject object = new JsonObject();
    for (RecordComponent component : value.getClass().getRecordComponents()) {
      try {
        Object field = component.getAccessor().invoke(value);
        object.put(jsonName(component.getName()), anyToJson(field));
      } catch (ReflectiveOperationException e) {
        throw new IllegalArgumentException("cannot read " + component, e);
      }
    }
    return object;
  }

  private static Object anyToJson(Object value) {
    return switch (value) {
      case Record nested -> toJson(nested);
      case List<?> list -> {
        JsonArray array = new JsonArray();
        list.forEach(element -> array.add(anyToJson(element)));
        yield array;
      }
      case Map<?, ?> map -> {
        JsonObject object = new JsonObject();
        map.forEach((key, element) -> object.put((String) key, anyToJson(element)));
        yield object;
      }
      default -> value;
    };
  }

  /** Converts an object to a record. */
  static <R extends Record> R fromJson(Class<R> type, JsonObject object) {
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      Object json = object.get(jsonName(components[i].getName()));
      values[i] = anyFromJson(components[i].getGenericType(), json);
    }
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<R> constructor = type.getDeclaredConstructor(types);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("cannot create a " + type, e);
    }
  }

  private static Object anyFromJson(Type type, Object json) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      return generic.getRawType() == List.class
          ? listFromJson(arguments[0], json)
          : mapFromJson(arguments[1], json);
    }
    Class<?> plain = (Class<?>) type;
    if (plain.isRecord()) {
      JsonObject object = json instanceof JsonObject given ? given : new JsonObject();
      return fromJson(plain.asSubclass(Record.class), object);
    }
    Number number = json instanceof Number given ? given : 0;
    if (plain == double.class) {
      return number.doubleValue();
    }
    if (plain == long.class) {
      return number.longValue();
    }
    if (plain == int.class) {
      return number.intValue();
    }
    if (plain == boolean.class) {
      return json instanceof Boolean given && given;
    }
    return json instanceof String text ? text : "";
  }

  private static List<Object> listFromJson(Type element, Object json) {
    return json instanceof JsonArray array
        ? array.stream().map(each -> anyFromJson(element, each)).toList()
        : List.of();
  }

  private static Map<String, Object> mapFromJson(Type element, Object json) {
    Map<String, Object> map = new LinkedHashMap<>();
    if (json instanceof JsonObject object) {
      object.forEach((key, each) -> map.put(key, anyFromJson(element, each)));
    }
    return map;
  }
}
