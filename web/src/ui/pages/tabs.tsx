import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs';
import { styled } from 'styled-components';
import { inlineStyles, insetFocusRing } from '../mixins.ts';
import { theme } from '../theme.ts';

type TabItem<Key extends string> = { key: Key; label: string; count?: number | undefined; content: ReactNode };

type Props<Key extends string> = {
  label: string;
  items: readonly TabItem<Key>[];
  selected: Key;
  onSelect: (key: Key) => void;
};

export function Tabs<Key extends string>({ label, items, selected, onSelect }: Props<Key>) {
  const select = (key: unknown) => {
    const selectedItem = items.find((item) => item.key === key);
    if (selectedItem) onSelect(selectedItem.key);
  };
  return (
    <AriaTabs selectedKey={selected} onSelectionChange={select}>
      <Strip aria-label={label}>
        {items.map((item) => (
          <Handle key={item.key} id={item.key}>
            {item.label}
            {item.count !== undefined && <Count>{item.count}</Count>}
          </Handle>
        ))}
      </Strip>
      {items.map((item) => (
        <Panel key={item.key} id={item.key}>
          {item.content}
        </Panel>
      ))}
    </AriaTabs>
  );
}

const Strip = styled(TabList)`
  display: flex;
  gap: ${theme.space[5]};
  border-bottom: 1px solid ${theme.color.line};
  overflow-x: auto;
`;

const Handle = styled(Tab)`
  position: relative;
  ${inlineStyles(2)}
  min-height: ${theme.control};
  padding: 0 2px;
  border-radius: ${theme.radius.sm};
  font-weight: 500;
  color: ${theme.color.text2};
  cursor: pointer;
  outline: none;
  white-space: nowrap;
  &[data-hovered] {
    color: ${theme.color.text};
  }
  &[data-selected] {
    color: ${theme.color.text};
  }
  &[data-selected]::after {
    content: '';
    position: absolute;
    inset: auto 0 -1px;
    height: 2px;
    border-radius: 2px 2px 0 0;
    background: ${theme.color.accent};
  }
  ${insetFocusRing}
`;

const Count = styled.span`
  padding: 0 7px;
  border-radius: ${theme.radius.full};
  background: ${theme.color.sunken};
  color: ${theme.color.text2};
  font: 500 ${theme.text.xs};
  line-height: 20px;
  font-variant-numeric: tabular-nums;
`;

const Panel = styled(TabPanel)`
  padding-top: ${theme.space[4]};
  outline: none;
  &[data-focus-visible] {
    box-shadow: ${theme.shadow.focus};
    border-radius: ${theme.radius.md};
  }
`;
