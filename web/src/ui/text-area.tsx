import type { Ref } from 'react';
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { styled } from 'styled-components';
import { controlLook, FieldHint, type FieldProps, fieldStack, RequiredMark } from './field.tsx';
import { FieldLabel, withoutUndefined } from './text-field.tsx';
import { theme } from './theme.ts';

type Props = FieldProps<string> & {
  rows?: number;
  placeholder?: string;
  maxLength?: number;
  ref?: Ref<HTMLTextAreaElement>;
  /** Shows how much of `maxLength` is used. */
  isCounted?: boolean;
};

export function TextArea(props: Props) {
  const {
    label,
    error,
    description,
    isRequired,
    isLabelHidden,
    rows = 3,
    placeholder,
    ref,
    isCounted,
    ...rest
  } = props;
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
      <Control ref={ref ?? null} rows={rows} placeholder={placeholder ?? ''} />
      <FieldHint error={error} description={description} />
      {isCounted && props.maxLength && (
        <Count>
          {props.value.length} / {props.maxLength}
        </Count>
      )}
    </Root>
  );
}

const Root = styled(AriaTextField)`
  ${fieldStack}
`;

const Control = styled(AriaTextArea)`
  ${controlLook}
  display: block;
  resize: vertical;
  line-height: 20px;
`;

const Count = styled.span`
  align-self: flex-end;
  font: ${theme.text.xs};
  font-variant-numeric: tabular-nums;
  color: ${theme.color.text3};
`;
