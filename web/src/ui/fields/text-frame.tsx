import { composeText } from '@atrium/proto-events/text/normalize';
import { countChars } from '@atrium/proto-events/text-length';
import type { ReactNode } from 'react';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { styled } from 'styled-components';
import { excessLabel } from '#lib/formats.ts';
import { FieldHint, FieldLabel, type FieldProps, fieldStack, RequiredMark, withoutUndefined } from './field.tsx';

type Props = FieldProps<string> & {
  type?: string | undefined;
  inputMode?: 'text' | 'decimal' | 'numeric' | 'email' | 'tel' | 'url' | undefined;
  autoComplete?: string | undefined;
  autoFocus?: boolean | undefined;
  isReadOnly?: boolean | undefined;
  /** Longer text can be typed and pasted, and is reported: truncation would lose text silently. */
  maxLength?: number | undefined;
  /** The input. */
  children: ReactNode;
  /** Below the hint. */
  foot?: ReactNode;
};

/** What surrounds the input of a text field or text area: label, hint or error, and their ARIA links. */
export function TextFrame(props: Props) {
  const { label, description, isRequired = false, isLabelHidden, maxLength, children, foot, ...rest } = props;
  const error = props.error ?? tooLong(props.value, maxLength);
  return (
    <Root
      {...withoutUndefined({ ...rest, error: undefined })}
      isRequired={isRequired}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
    >
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

function tooLong(value: string, most = Number.POSITIVE_INFINITY): string | undefined {
  const surplus = countChars(composeText(value)) - most;
  return surplus > 0 ? excessLabel(surplus) : undefined;
}

const Root = styled(AriaTextField)`
  ${fieldStack}
`;
