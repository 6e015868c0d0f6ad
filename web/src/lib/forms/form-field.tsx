import type { ReactNode, Ref } from 'react';
import { type Control, type FieldPath, type FieldPathValue, type FieldValues, useController } from 'react-hook-form';
import { afterPointerUp } from '../after-pointer-up.ts';

type Bound<Value> = {
  value: Value;
  onChange: (value: Value) => void;
  onBlur: () => void;
  name: string;
  error: string | undefined;
  ref: Ref<never>;
};

type Props<Values extends FieldValues, Name extends FieldPath<Values>, Out> = {
  control: Control<Values, unknown, Out>;
  name: Name;
  children: (bound: Bound<FieldPathValue<Values, Name>>) => ReactNode;
};

export function FormField<Values extends FieldValues, Name extends FieldPath<Values>, Out>({
  control,
  name,
  children,
}: Props<Values, Name, Out>) {
  const { field, fieldState } = useController<Values, Name, Out>({ control, name });
  return children({
    value: field.value,
    onChange: (value) => field.onChange(value),
    onBlur: () => afterPointerUp(field.onBlur),
    name: field.name,
    error: fieldState.error?.message,
    ref: field.ref,
  });
}
