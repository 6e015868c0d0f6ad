import type { ReactNode, Ref } from 'react';
import { Input } from 'react-aria-components/Input';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';
import { controlStyles, type FieldProps } from './field.tsx';
import { TextFrame } from './text-frame.tsx';

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
  /* The button keeps its side, whatever the direction of the text. */
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
