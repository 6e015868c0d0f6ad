import { RadioGroup as AriaRadioGroup, Radio } from 'react-aria-components/RadioGroup';
import { styled } from 'styled-components';
import { Text } from '../layout/primitives.ts';
import { theme } from '../theme.ts';
import { FieldHint, FieldLabel, type FieldProps, fieldStack, groupProps } from './field.tsx';
import type { Option } from './option.tsx';

type Props<Value extends string> = FieldProps<Value> & { options: readonly Option<Value>[] };

export function RadioGroup<Value extends string>(props: Props<Value>) {
  const { options, ...field } = props;
  const { label, value, onChange, error, description, isLabelHidden } = field;
  const choose = (selectedValue: string) => {
    const selectedOption = options.find((option) => option.value === selectedValue);
    if (selectedOption) onChange(selectedOption.value);
  };
  return (
    <Root {...groupProps(field)} value={value} onChange={choose}>
      <FieldLabel label={label} isHidden={isLabelHidden} />
      <FieldHint description={description} />
      {options.map((option) => (
        <Choice key={option.value} value={option.value} isDisabled={option.isDisabled ?? false}>
          <Dot />
          <span>
            {option.label}
            {option.description && (
              <Text $size="sm" $tone="text2" $block>
                {option.description}
              </Text>
            )}
          </span>
        </Choice>
      ))}
      <FieldHint error={error} />
    </Root>
  );
}

const Root = styled(AriaRadioGroup)`
  ${fieldStack}
`;

const Dot = styled.span`
  flex: none;
  width: 18px;
  height: 18px;
  margin-top: 1px;
  border: 1px solid ${theme.color.lineStrong};
  border-radius: ${theme.radius.full};
  background: ${theme.color.surface};
  transition: border-width ${theme.motion.fast};
`;

const Choice = styled(Radio)`
  display: flex;
  gap: ${theme.space[3]};
  padding: 6px 0;
  cursor: pointer;
  &[data-selected] ${Dot} {
    border: 5px solid ${theme.color.accent};
  }
  &[data-focus-visible] ${Dot} {
    box-shadow: ${theme.shadow.focus};
  }
  &[data-disabled] {
    opacity: 0.5;
    cursor: default;
  }
  ${theme.media.small} {
    padding: 12px 0;
  }
`;
