import { ChevronDown } from 'lucide-react';
import type { Ref } from 'react';
import { Button } from 'react-aria-components/Button';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { styled } from 'styled-components';
import { FloatingSurface } from '../floating-surface.tsx';
import { ellipsis, inlineStyles } from '../mixins.ts';
import { theme } from '../theme.ts';
import { controlStyles, FieldHint, FieldLabel, type FieldProps, fieldStack } from './field.tsx';
import { NoOptions, type Option, OptionList, OptionRow } from './option.tsx';

type Props<Value extends string> = FieldProps<Value> & {
  options: readonly Option<Value>[];
  placeholder?: string;
  ref?: Ref<HTMLButtonElement>;
};

export function Select<Value extends string>(props: Props<Value>) {
  const { label, value, onChange, onBlur, name, error, description, options, placeholder = 'Select', ref } = props;
  const { isRequired = false, isDisabled = false, isLabelHidden } = props;
  const choose = (key: unknown) => {
    const selectedOption = options.find((option) => option.value === key);
    if (selectedOption) onChange(selectedOption.value);
  };
  return (
    <Root
      {...(name === undefined ? {} : { name })}
      value={options.some((option) => option.value === value) ? value : null}
      onChange={choose}
      {...(onBlur ? { onBlur } : {})}
      isRequired={isRequired}
      isDisabled={isDisabled}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      placeholder={placeholder}
    >
      <FieldLabel label={label} isRequired={isRequired} isHidden={isLabelHidden} />
      <Trigger ref={ref ?? null} $invalid={Boolean(error)}>
        <Shown>
          {({ isPlaceholder, defaultChildren }) =>
            isPlaceholder ? defaultChildren : <bdi>{getLabel(options, value)}</bdi>
          }
        </Shown>
        <ChevronDown aria-hidden="true" />
      </Trigger>
      <FieldHint error={error} description={description} />
      <FloatingSurface>
        <OptionList renderEmptyState={() => <NoOptions>No options</NoOptions>}>
          {options.map((option) => (
            <OptionRow key={option.value} option={option} />
          ))}
        </OptionList>
      </FloatingSurface>
    </Root>
  );
}

function getLabel(options: readonly Option[], value: string): string {
  return options.find((option) => option.value === value)?.label ?? '';
}

const Root = styled(AriaSelect)`
  ${fieldStack}
`;

const Trigger = styled(Button)<{ $invalid: boolean }>`
  ${controlStyles}
  ${inlineStyles(2)}
  text-align: start;
  cursor: pointer;
  ${theme.media.small} {
    font-size: 16px;
  }
  ${({ $invalid }) => $invalid && `border-color: ${theme.color.danger};`}
  &[data-focused]:not([data-focus-visible]) {
    outline: none;
    border-color: ${theme.color.line};
  }
  svg {
    width: 16px;
    height: 16px;
    color: ${theme.color.text3};
  }
`;

const Shown = styled(SelectValue)`
  flex: 1;
  min-width: 0;
  ${ellipsis}
  &[data-placeholder] {
    color: ${theme.color.text3};
  }
`;
