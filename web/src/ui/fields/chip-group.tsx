import { Checkbox } from 'react-aria-components/Checkbox';
import { CheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { styled } from 'styled-components';
import { focusRing } from '../mixins.ts';
import { theme } from '../theme.ts';
import { FieldHint, FieldLabel, type FieldProps, fieldStack, groupProps } from './field.tsx';

type Chip<Value extends string> = { value: Value; label: string; name: string };

type Props<Value extends string> = FieldProps<readonly Value[]> & {
  chips: readonly Chip<Value>[];
};

export function ChipGroup<Value extends string>(props: Props<Value>) {
  const { chips, ...field } = props;
  const { label, value, onChange, error, description, isLabelHidden } = field;
  const select = (selected: string[]) =>
    onChange(chips.flatMap((chip) => (selected.includes(chip.value) ? [chip.value] : [])));
  return (
    <Root {...groupProps(field)} value={[...value]} onChange={select}>
      <FieldLabel label={label} isHidden={isLabelHidden} />
      <Chips>
        {chips.map((chip) => (
          <ChipBox key={chip.value} value={chip.value} aria-label={chip.name}>
            {chip.label}
          </ChipBox>
        ))}
      </Chips>
      <FieldHint error={error} description={description} />
    </Root>
  );
}

const Root = styled(CheckboxGroup)`
  ${fieldStack}
`;

const Chips = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: ${theme.space[2]};
  ${theme.media.small} {
    gap: ${theme.space[1]};
  }
`;

const ChipBox = styled(Checkbox)`
  display: grid;
  place-items: center;
  min-width: 48px;
  min-height: ${theme.control};
  padding: 0 ${theme.space[2]};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.md};
  background: ${theme.color.surface};
  color: ${theme.color.text2};
  font: 500 ${theme.text.sm};
  cursor: pointer;
  &[data-hovered] {
    border-color: ${theme.color.lineStrong};
  }
  &[data-selected] {
    border-color: ${theme.color.accent};
    background: ${theme.color.accentSoft};
    color: ${theme.color.text};
  }
  ${focusRing}
  ${theme.media.small} {
    flex: 1 0 40px;
    min-width: 40px;
    min-height: 44px;
    padding: 0;
  }
`;
