import { type Ref, useRef } from 'react';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { NumberField as AriaNumberField } from 'react-aria-components/NumberField';
import { styled } from 'styled-components';
import { useLatinDigits } from '#lib/hooks/use-latin-digits.ts';
import { controlStyles, FieldHint, FieldLabel, type FieldProps, fieldStack, withoutUndefined } from './field.tsx';

type Props = FieldProps<number | null> & {
  min?: number;
  max?: number;
  placeholder?: string;
  ref?: Ref<HTMLInputElement>;
};

/** The wheel scrolls the page and does not change the value. */
export function NumberField(props: Props) {
  const { label, error, description, isRequired, isLabelHidden, value, onChange, min, max, placeholder, ref, ...rest } =
    props;
  const box = useRef<HTMLDivElement>(null);
  useLatinDigits(box);
  return (
    <Root
      {...withoutUndefined(rest)}
      value={value ?? Number.NaN}
      onChange={(next) => onChange(Number.isNaN(next) ? null : next)}
      {...(min === undefined ? {} : { minValue: min })}
      {...(max === undefined ? {} : { maxValue: max })}
      isRequired={isRequired ?? false}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      isWheelDisabled
    >
      <FieldLabel label={label} isRequired={isRequired} isHidden={isLabelHidden} />
      <Group ref={box}>
        <Control ref={ref ?? null} placeholder={placeholder ?? ''} />
      </Group>
      <FieldHint error={error} description={description} />
    </Root>
  );
}

const Root = styled(AriaNumberField)`
  ${fieldStack}
`;

const Control = styled(Input)`
  ${controlStyles}
  font-variant-numeric: tabular-nums;
`;
