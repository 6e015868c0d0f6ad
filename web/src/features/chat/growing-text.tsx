import { type ComponentProps, type Ref, useLayoutEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { theme } from '../../ui/theme.ts';

type Props = Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'ref' | 'rows'> & {
  value: string;
  onChange: (value: string) => void;
  ref?: Ref<HTMLTextAreaElement>;
};

/** A bare text box as high as its text, for places that draw their own frame. */
export function GrowingText({ value, onChange, ref, ...rest }: Props) {
  const own = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the value
  useLayoutEffect(() => {
    const field = own.current;
    if (!field) return;
    field.style.height = 'auto';
    field.style.height = `${field.scrollHeight}px`;
  }, [value]);
  const keep = (field: HTMLTextAreaElement | null) => {
    own.current = field;
    if (typeof ref === 'function') ref(field);
    else if (ref) ref.current = field;
  };
  return <Field {...rest} ref={keep} rows={1} value={value} onChange={(event) => onChange(event.target.value)} />;
}

const Field = styled.textarea`
  flex: 1;
  min-width: 0;
  max-height: min(240px, 40dvh);
  padding: 4px 0;
  border: 0;
  outline: none;
  resize: none;
  background: transparent;
  line-height: 20px;
  &::placeholder {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  ${theme.media.small} {
    padding: 10px 0;
    line-height: 24px;
  }
`;
