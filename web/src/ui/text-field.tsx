import type { ReactNode, Ref } from 'react';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { styled } from 'styled-components';
import { controlLook, FieldHint, type FieldProps, fieldStack, labelLook, RequiredMark } from './field.tsx';
import { theme } from './theme.ts';

export type TextFieldProps = FieldProps<string> & {
  type?: 'text' | 'email' | 'password' | 'tel' | 'url';
  inputMode?: 'text' | 'decimal' | 'numeric' | 'email' | 'tel' | 'url';
  placeholder?: string;
  autoComplete?: string;
  autoFocus?: boolean;
  isReadOnly?: boolean;
  maxLength?: number;
  ref?: Ref<HTMLInputElement>;
  /** A control inside the box at its end, such as show/hide. */
  trailing?: ReactNode;
};

export function TextField(props: TextFieldProps) {
  const { label, error, description, isRequired, isLabelHidden, placeholder, ref, trailing, ...rest } = props;
  return (
    <Root
      {...withoutUndefined(rest)}
      isRequired={isRequired ?? false}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
    >
      <FieldLabel $hidden={isLabelHidden}>
        {label}
        <RequiredMark isRequired={isRequired} />
      </FieldLabel>
      <Box>
        <Control ref={ref ?? null} placeholder={placeholder ?? ''} $hasTrailing={Boolean(trailing)} />
        {trailing && <Trailing>{trailing}</Trailing>}
      </Box>
      <FieldHint error={error} description={description} />
    </Root>
  );
}

/** React Aria's props refuse an explicit `undefined`. */
export function withoutUndefined<T extends object>(props: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

const Root = styled(AriaTextField)`
  ${fieldStack}
`;

export const FieldLabel = styled(Label)<{ $hidden?: boolean | undefined }>`
  ${labelLook}
`;

const Box = styled.div`
  position: relative;
`;

const Control = styled(Input)<{ $hasTrailing: boolean }>`
  ${controlLook}
  padding-right: ${({ $hasTrailing }) => ($hasTrailing ? '44px' : '12px')};
  text-overflow: ellipsis;
`;

const Trailing = styled.div`
  position: absolute;
  inset: 0 2px 0 auto;
  display: flex;
  align-items: center;
  color: ${theme.color.text3};
`;
