package org.nelumbo.simulation.instrument;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * A code transform that plants a defect next to the code it replaces; {@link Probe#defect} selects
 * the code that runs.
 */
final class DefectPlanter implements CodeTransform {
  private static final ClassDesc PROBE = ClassDesc.of(Probe.class.getName());
  private static final ClassDesc FORMER = ClassDesc.of(FormerCode.class.getName());

  private final int number;
  private final CodeEdit edit;
  private final MethodTypeDesc method;
  private final Runnable planted;
  private final Set<Label> handlers = new HashSet<>();

  /**
   * Plants an edit into a method.
   *
   * @param number number of the defect
   * @param planted runs at each edited location
   */
  DefectPlanter(int number, CodeEdit edit, MethodModel model, Runnable planted) {
    this.planted = planted;
    this.number = number;
    this.edit = edit;
    this.method = model.methodTypeSymbol();
    if (edit.action() == CodeEdit.Action.UNCAUGHT) {
      for (CodeElement each : model.code().orElseThrow()) {
        // handlers of finally blocks always rethrow, and may cover themselves: they are not edited
        if (each instanceof ExceptionCatch handler && handler.catchType().isPresent()) {
          handlers.add(handler.handler());
        }
      }
    }
  }

  private void unlessOn(CodeBuilder builder, Label off) {
    builder.getstatic(PROBE, "defect", ConstantDescs.CD_int).loadConstant(number).if_icmpne(off);
  }

  @Override
  public void atStart(CodeBuilder builder) {
    if (isWhole()) {
      Label off = builder.newLabel();
      unlessOn(builder, off);
      TypeKind kind = TypeKind.from(method.returnType());
      if (edit.action() == CodeEdit.Action.FORMER) {
        callFormer(builder);
      } else if (edit.action() == CodeEdit.Action.RETURN_THIS) {
        builder.aload(0);
      } else {
        push(builder, kind);
      }
      builder.return_(kind);
      builder.labelBinding(off);
      planted.run();
    }
  }

  /** An overload of a method that was replaced by former code stays as it is. */
  private boolean isWhole() {
    return edit.call() == null
        && edit.action() != CodeEdit.Action.UNCAUGHT
        && (edit.former() == null || former().parameterCount() == 1 + method.parameterCount());
  }

  private void callFormer(CodeBuilder builder) {
    builder.aload(0);
    for (int i = 0; i < method.parameterCount(); i++) {
      builder.loadLocal(TypeKind.from(method.parameterType(i)), builder.parameterSlot(i));
    }
    builder.invokestatic(FORMER, edit.former(), former());
  }

  /** Its parameters may have more general types than those of the engine. */
  private MethodTypeDesc former() {
    Method found =
        Arrays.stream(FormerCode.class.getDeclaredMethods())
            .filter(each -> each.getName().equals(edit.former()))
            .findAny()
            .orElseThrow();
    return MethodType.methodType(found.getReturnType(), found.getParameterTypes())
        .describeConstable()
        .orElseThrow();
  }

  @Override
  public void accept(CodeBuilder builder, CodeElement element) {
    if (element instanceof LabelTarget target && handlers.contains(target.label())) {
      builder.with(element);
      Label off = builder.newLabel();
      unlessOn(builder, off);
      builder.athrow();
      builder.labelBinding(off);
      planted.run();
      return;
    }
    if (!(element instanceof InvokeInstruction invoke) || !isIt(invoke)) {
      builder.with(element);
      return;
    }
    Label off = builder.newLabel();
    Label end = builder.newLabel();
    unlessOn(builder, off);
    if (edit.action() == CodeEdit.Action.SWAP) {
      builder.invokestatic(FORMER, edit.former(), former());
    } else {
      leaveOut(builder, invoke);
    }
    builder.goto_(end);
    builder.labelBinding(off);
    builder.with(element);
    builder.labelBinding(end);
    planted.run();
  }

  private void leaveOut(CodeBuilder builder, InvokeInstruction invoke) {
    MethodTypeDesc type = invoke.typeSymbol();
    for (int i = type.parameterCount() - 1; i >= 0; i--) {
      pop(builder, TypeKind.from(type.parameterType(i)));
    }
    if (invoke.opcode() != Opcode.INVOKESTATIC) {
      builder.pop();
    }
    push(builder, TypeKind.from(type.returnType()));
  }

  private boolean isIt(InvokeInstruction invoke) {
    String owner = invoke.owner().asInternalName();
    String name = owner.substring(Math.max(owner.lastIndexOf('/'), owner.lastIndexOf('$')) + 1);
    return (name + "." + invoke.name().stringValue()).equals(edit.call());
  }

  private static void pop(CodeBuilder builder, TypeKind kind) {
    if (kind.slotSize() == 2) {
      builder.pop2();
    } else {
      builder.pop();
    }
  }

  private void push(CodeBuilder builder, TypeKind kind) {
    switch (kind) {
      case VOID -> {}
      case REFERENCE -> builder.aconst_null();
      case LONG -> builder.loadConstant((long) edit.result());
      case DOUBLE -> builder.loadConstant((double) edit.result());
      case FLOAT -> builder.loadConstant((float) edit.result());
      default -> builder.loadConstant(edit.result());
    }
  }
}
