import type { ReactNode } from 'react';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { styled } from 'styled-components';
import { FieldHint, FieldLabel, type FieldProps, fieldStack, RequiredMark, withoutUndefined } from './field.tsx';

type Props = FieldProps<string> & {
  type?: string | undefined;
  inputMode?: 'text' | 'decimal' | 'numeric' | 'email' | 'tel' | 'url' | undefined;
  autoComplete?: string | undefined;
  autoFocus?: boolean | undefined;
  isReadOnly?: boolean | undefined;
  maxLength?: number | undefined;
  /** The box that is typed in. */
  children: ReactNode;
  /** Stands below the hint. */
  foot?: ReactNode;
};

/** What a text field and a text area have around their box: label, hint or error, and the words that tie them together. */
export function TextFrame(props: Props) {
  const { label, error, description, isRequired = false, isLabelHidden, children, foot, ...rest } = props;
  return (
    <Root {...withoutUndefined(rest)} isRequired={isRequired} isInvalid={Boolean(error)} validationBehavior="aria">
      <FieldLabel $hidden={isLabelHidden}>
        {label}
        <RequiredMark isRequired={isRequired} />
      </FieldLabel>
      {children}
      <FieldHint error={error} description={description} />
      {foot}
    </Root>
  );
}

const Root = styled(AriaTextField)`
  ${fieldStack}
`;
