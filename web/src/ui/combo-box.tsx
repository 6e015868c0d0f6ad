import { ChevronDown } from 'lucide-react';
import type { Ref } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox as AriaComboBox } from 'react-aria-components/ComboBox';
import { Input } from 'react-aria-components/Input';
import { styled } from 'styled-components';
import {
  controlLook,
  FieldHint,
  FieldLabel,
  type FieldProps,
  fieldStack,
  RequiredMark,
  withoutUndefined,
} from './field.tsx';
import { NoOptions, type Option, OptionList, OptionRow } from './option.tsx';
import { FloatingSurface } from './popover.tsx';
import { theme } from './theme.ts';

type Props = FieldProps<string> & {
  options: readonly Option[];
  placeholder?: string;
  ref?: Ref<HTMLInputElement>;
};

/** One of a long list, found by typing. `value` is the chosen option's, or empty. */
export function ComboBox(props: Props) {
  const { label, value, onChange, error, description, options, placeholder, isRequired, isLabelHidden, ref, ...rest } =
    props;
  return (
    <Root
      {...withoutUndefined(rest)}
      value={value === '' ? null : value}
      onChange={(key) => onChange(key === null ? '' : String(key))}
      isRequired={isRequired ?? false}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      menuTrigger="focus"
      allowsEmptyCollection
    >
      <FieldLabel $hidden={isLabelHidden}>
        {label}
        <RequiredMark isRequired={isRequired} />
      </FieldLabel>
      <Box>
        <Control ref={ref ?? null} placeholder={placeholder ?? ''} />
        <Opener aria-label={`Show choices for ${label}`}>
          <ChevronDown />
        </Opener>
      </Box>
      <FieldHint error={error} description={description} />
      <FloatingSurface>
        <OptionList renderEmptyState={() => <NoOptions>No match</NoOptions>}>
          {options.map((option) => (
            <OptionRow key={option.value} option={option} />
          ))}
        </OptionList>
      </FloatingSurface>
    </Root>
  );
}

const Root = styled(AriaComboBox)`
  ${fieldStack}
`;

const Box = styled.div`
  position: relative;
`;

const Control = styled(Input)`
  ${controlLook}
  padding-right: 36px;
`;

const Opener = styled(Button)`
  position: absolute;
  inset: 1px 1px 1px auto;
  width: 34px;
  display: grid;
  place-items: center;
  border: 0;
  background: transparent;
  color: ${theme.color.text3};
  cursor: pointer;
  svg {
    width: 16px;
    height: 16px;
  }
`;
