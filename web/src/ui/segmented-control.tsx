import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import { styled } from 'styled-components';
import { focusRing, hiddenInPrint } from './mixins.ts';
import { theme } from './theme.ts';

type Props<Key extends string> = {
  label: string;
  items: readonly { key: Key; label: string }[];
  selected: Key;
  onSelect: (key: Key) => void;
};

export function SegmentedControl<Key extends string>({ label, items, selected, onSelect }: Props<Key>) {
  const select = (key: string) => {
    const selectedItem = items.find((item) => item.key === key);
    if (selectedItem) onSelect(selectedItem.key);
  };
  return (
    <Root aria-label={label} orientation="horizontal" value={selected} onChange={select}>
      {items.map((item) => (
        <Segment key={item.key} value={item.key}>
          <bdi>{item.label}</bdi>
        </Segment>
      ))}
    </Root>
  );
}

const Root = styled(RadioGroup)`
  display: inline-flex;
  padding: 3px;
  border-radius: ${theme.radius.md};
  background: ${theme.color.sunken};
  ${hiddenInPrint}
`;

const Segment = styled(Radio)`
  display: grid;
  place-items: center;
  min-height: calc(${theme.control} - 6px);
  padding: 0 12px;
  border-radius: ${theme.radius.sm};
  background: transparent;
  color: ${theme.color.text2};
  font: 500 ${theme.text.sm};
  cursor: pointer;
  outline: none;
  &[data-hovered] {
    color: ${theme.color.text};
  }
  &[data-selected] {
    background: ${theme.color.selected};
    color: ${theme.color.text};
    box-shadow: ${theme.shadow.low};
  }
  ${focusRing}
  ${theme.media.small} {
    min-height: 44px;
  }
`;
