import { type ComponentProps, type Ref, useEffect, useLayoutEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { ellipsis } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

type Props = Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'ref' | 'rows'> & {
  value: string;
  /** The type of the input is `historyUndo` for the field's undo, for example (Input Events, 5.1.2). */
  onChange: (value: string, inputType?: string) => void;
  ref?: Ref<HTMLTextAreaElement>;
};

export function AutoSizeTextArea({ value, onChange, ref, ...rest }: Props) {
  const element = useRef<HTMLTextAreaElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the value
  useLayoutEffect(() => {
    fitToContent(element.current);
  }, [value]);
  // The same text needs more lines when the window gets narrower.
  useEffect(() => {
    const onResize = () => fitToContent(element.current);
    window.addEventListener('resize', onResize);
    return () => window.removeEventListener('resize', onResize);
  }, []);
  const setRef = (field: HTMLTextAreaElement | null) => {
    element.current = field;
    if (typeof ref === 'function') ref(field);
    else if (ref) ref.current = field;
  };
  return (
    <Field
      dir="auto"
      {...rest}
      ref={setRef}
      rows={1}
      value={value}
      onChange={({ target, nativeEvent }) =>
        onChange(target.value, 'inputType' in nativeEvent ? String(nativeEvent.inputType) : undefined)
      }
    />
  );
}

function fitToContent(field: HTMLTextAreaElement | null): void {
  if (!field) return;
  field.style.height = 'auto';
  field.style.height = `${field.scrollHeight}px`;
}

const Field = styled.textarea`
  display: block;
  width: 100%;
  max-height: min(240px, 40dvh);
  padding: 6px ${theme.space[2]};
  border: 0;
  outline: none;
  resize: none;
  background: transparent;
  line-height: 20px;
  /* A long placeholder is truncated; Firefox would show a scrollbar over it. */
  overflow-x: hidden;
  &:placeholder-shown,
  &::placeholder {
    ${ellipsis}
  }
  ${theme.media.small} {
    line-height: 24px;
  }
`;
