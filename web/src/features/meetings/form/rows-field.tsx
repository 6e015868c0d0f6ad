import { Plus } from 'lucide-react';
import { type ReactNode, type RefObject, useRef } from 'react';
import { styled } from 'styled-components';
import { Button } from '../../../ui/button.tsx';
import { theme } from '../../../ui/theme.ts';

type Rows<Row> = { value: readonly Row[]; onChange: (value: Row[]) => void; none: Row };

/** What is done with the rows of a form, each with fields of its own; the focus goes along. `none` is the row that comes with `add`. */
export function useRows<Row>({ value, onChange, none }: Rows<Row>) {
  const box = useRef<HTMLFieldSetElement>(null);
  /** Once what was given to `onChange` stands there. */
  const focus = (index: number, what: string) =>
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`li:nth-child(${index + 1}) ${what}`)?.focus());
  return {
    box,
    focus,
    change: (index: number, part: Partial<Row>) =>
      onChange(value.map((row, at) => (at === index ? { ...row, ...part } : row))),
    add: () => {
      onChange([...value, none]);
      focus(value.length, 'input');
    },
    remove: (index: number) => {
      onChange(value.filter((_row, at) => at !== index));
      focusAfterRemoved(box.current, index);
    },
  };
}

/** Onto what takes the next one away, else the one before, else onto what adds one. */
function focusAfterRemoved(box: HTMLElement | null, index: number): void {
  requestAnimationFrame(() => {
    const rows = box?.querySelectorAll('li') ?? [];
    const row = rows[Math.min(index, rows.length - 1)];
    const next = row ? row.querySelector<HTMLElement>('[aria-label^="Remove"]') : box?.querySelector<HTMLElement>(ADD);
    next?.focus();
  });
}

const ADD = ':scope > button';

type Props = {
  box: RefObject<HTMLFieldSetElement | null>;
  legend: string;
  error: string | undefined;
  /** Between two rows. */
  gap: string;
  /** Where there may be no more, nothing. */
  add: { label: string; run: () => void } | undefined;
  hint?: ReactNode;
  /** The rows, each an `li`. */
  children: ReactNode;
};

export function RowsField({ box, legend, error, gap, add, hint, children }: Props) {
  return (
    <Root ref={box} $gap={gap}>
      <legend>{legend}</legend>
      {error && <Fault role="alert">{error}</Fault>}
      <ol>{children}</ol>
      {hint}
      {add && (
        <Button size="sm" icon={<Plus />} onPress={add.run}>
          {add.label}
        </Button>
      )}
    </Root>
  );
}

const Root = styled.fieldset<{ $gap: string }>`
  min-width: 0;
  padding: 0;
  border: 0;
  legend {
    padding: 0;
    margin-bottom: ${theme.space[2]};
    font: 500 ${theme.text.sm};
  }
  ol {
    display: grid;
    gap: ${({ $gap }) => $gap};
    margin-bottom: ${theme.space[3]};
  }
  ol:empty {
    display: none;
  }
`;

const Fault = styled.p`
  margin-bottom: ${theme.space[2]};
  font: ${theme.text.sm};
  color: ${theme.color.danger};
`;
