import { composeText } from '@atrium/proto-events/text/normalize';
import { countChars } from '@atrium/proto-events/text-length';
import type { Ref } from 'react';
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';
import { controlStyles, type FieldProps } from './field.tsx';
import { TextFrame } from './text-field.tsx';

type Props = FieldProps<string> & {
  rows?: number;
  placeholder?: string;
  maxLength?: number;
  isReadOnly?: boolean;
  ref?: Ref<HTMLTextAreaElement>;
  showsCount?: boolean;
};

export function TextArea({ rows = 3, placeholder = '', ref, showsCount = false, ...rest }: Props) {
  const { value, maxLength } = rest;
  const count = showsCount && maxLength && (
    <Count>
      {countChars(composeText(value))} / {maxLength}
    </Count>
  );
  return (
    <TextFrame {...rest} footer={count}>
      <Control dir="auto" ref={ref ?? null} rows={rows} placeholder={placeholder} />
    </TextFrame>
  );
}

const Control = styled(AriaTextArea)`
  ${controlStyles}
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
