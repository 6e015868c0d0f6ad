import { composeText } from '@atrium/proto-events/text/normalize';
import { countChars } from '@atrium/proto-events/text-length';
import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, type Ref, useState } from 'react';
import { Input } from 'react-aria-components/Input';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { styled } from 'styled-components';
import { excessLabel } from '#lib/number-formats.ts';
import { IconButton } from '../icon-button.tsx';
import { theme } from '../theme.ts';
import { controlStyles, FieldHint, FieldLabel, type FieldProps, fieldStack, withoutUndefined } from './field.tsx';

type TextProps = FieldProps<string> & {
  type?: 'text' | 'email' | 'password' | 'tel' | 'url';
  autoComplete?: string;
  autoFocus?: boolean;
  isReadOnly?: boolean;
  /** Longer text can still be entered, and is reported as an error, because truncation would lose text silently. */
  maxLength?: number;
};

type FrameProps = TextProps & {
  children: ReactNode;
  footer?: ReactNode;
};

/** Surrounds the input of a text field or text area with its label, its hint or error, and their ARIA links. */
export function TextFrame(props: FrameProps) {
  const { label, description, isRequired = false, isLabelHidden, maxLength, children, footer, ...rest } = props;
  const error = props.error ?? getLengthError(props.value, maxLength);
  return (
    <Root
      {...withoutUndefined({ ...rest, error: undefined })}
      isRequired={isRequired}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
    >
      <FieldLabel label={label} isRequired={isRequired} isHidden={isLabelHidden} />
      {children}
      <FieldHint error={error} description={description} />
      {footer}
    </Root>
  );
}

function getLengthError(value: string, maxLength = Number.POSITIVE_INFINITY): string | undefined {
  const surplus = countChars(composeText(value)) - maxLength;
  return surplus > 0 ? excessLabel(surplus) : undefined;
}

const Root = styled(AriaTextField)`
  ${fieldStack}
`;

type TextFieldProps = TextProps & {
  placeholder?: string;
  ref?: Ref<HTMLInputElement>;
  /** A control inside the box at its end, such as show/hide. */
  trailing?: ReactNode;
};

export function TextField({ placeholder = '', ref, trailing, ...rest }: TextFieldProps) {
  return (
    <TextFrame {...rest}>
      <Box>
        <Control dir="auto" ref={ref ?? null} placeholder={placeholder} $hasTrailing={Boolean(trailing)} />
        {trailing && <Trailing>{trailing}</Trailing>}
      </Box>
    </TextFrame>
  );
}

const Box = styled.div`
  position: relative;
`;

const Control = styled(Input)<{ $hasTrailing: boolean }>`
  ${controlStyles}
  padding-inline: 12px ${({ $hasTrailing }) => ($hasTrailing ? '44px' : '12px')};
  /* The button keeps its side for text of either direction. */
  &:dir(rtl) {
    padding-inline: ${({ $hasTrailing }) => ($hasTrailing ? '44px' : '12px')} 12px;
  }
  text-overflow: ellipsis;
`;

const Trailing = styled.div`
  position: absolute;
  inset: 0 2px 0 auto;
  display: flex;
  align-items: center;
  color: ${theme.color.text3};
`;

/** A password field with a button that shows and hides its value. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'trailing'>) {
  const [isShown, setShown] = useState(false);
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      trailing={
        <IconButton label={isShown ? 'Hide password' : 'Show password'} onPress={() => setShown(!isShown)}>
          {isShown ? <EyeOff /> : <Eye />}
        </IconButton>
      }
    />
  );
}
