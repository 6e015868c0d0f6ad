import { Plus } from 'lucide-react';
import { type ReactNode, type RefObject, useRef } from 'react';
import { styled } from 'styled-components';
import { Button } from '#ui/button.tsx';
import { Caption } from '#ui/layout/primitives.ts';
import { theme } from '#ui/theme.ts';

type Rows<Row> = { value: readonly Row[]; onChange: (value: Row[]) => void; emptyRow: Row };

/** Adds, changes, and removes rows, and moves focus accordingly. */
export function useRows<Row>({ value, onChange, emptyRow }: Rows<Row>) {
  const box = useRef<HTMLFieldSetElement>(null);
  /** Focuses an element of a row after the change has been rendered. */
  const focus = (index: number, selector: string) =>
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`li:nth-child(${index + 1}) ${selector}`)?.focus(),
    );
  return {
    box,
    focus,
    change: (index: number, part: Partial<Row>) =>
      onChange(value.map((row, at) => (at === index ? { ...row, ...part } : row))),
    add: () => {
      onChange([...value, emptyRow]);
      focus(value.length, 'input');
    },
    remove: (index: number) => {
      onChange(value.filter((_row, at) => at !== index));
      focusAfterRemoved(box.current, index);
    },
  };
}

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
  gap: string;
  /** Undefined when the maximum is reached. */
  add: { label: string; run: () => void } | undefined;
  hint?: ReactNode;
  /** `li` elements. */
  children: ReactNode;
};

export function RowsField({ box, legend, error, gap, add, hint, children }: Props) {
  return (
    <Root ref={box} $gap={gap}>
      <legend>{legend}</legend>
      {error && (
        <Caption $tone="danger" $below={2} role="alert">
          {error}
        </Caption>
      )}
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
