import { matchesSearch } from '@atrium/proto-events/text/search';
import { ChevronDown } from 'lucide-react';
import { type PointerEvent, type Ref, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox as AriaComboBox } from 'react-aria-components/ComboBox';
import { Input, type InputProps } from 'react-aria-components/Input';
import { styled } from 'styled-components';
import { FloatingSurface } from '../floating-surface.tsx';
import { fieldButtonStyles } from '../icon-button.tsx';
import { controlStyles, FieldHint, FieldLabel, type FieldProps, fieldStack, withoutUndefined } from './field.tsx';
import { NoOptions, type Option, OptionList, OptionRow } from './option.tsx';

type Props = FieldProps<string> & {
  options: readonly Option[];
  placeholder?: string;
  /** Enables server search. `options` are its results, or the first options if the text is empty. */
  onSearch?: ((text: string) => void) | undefined;
  isSearching?: boolean;
  ref?: Ref<HTMLInputElement>;
};

export function ComboBox(props: Props) {
  const { label, value, error, description, placeholder, isRequired, isLabelHidden, isSearching, ref, ...comboProps } =
    props;
  const { onChange, options, onSearch, ...rest } = comboProps;
  const { visibleOptions, choose, search } = useSelectedOption({ value, onChange, options, onSearch });
  const serverResults = onSearch && !isSearching ? options.filter((option) => option.value !== value) : [];
  const serverLabels = new Set(serverResults.map((option) => option.label));
  return (
    <ComboRoot
      {...withoutUndefined(rest)}
      value={value === '' ? null : value}
      onChange={(key) => choose(key === null ? '' : String(key))}
      onInputChange={search}
      isRequired={isRequired ?? false}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      menuTrigger="focus"
      defaultFilter={(name, text) => serverLabels.has(name) || matchesSearch(name, text)}
      allowsEmptyCollection
    >
      <FieldLabel label={label} isRequired={isRequired} isHidden={isLabelHidden} />
      <ComboControl label={label} ref={ref} placeholder={placeholder ?? ''} />
      <FieldHint error={error} description={description} />
      <FloatingSurface>
        <OptionList renderEmptyState={() => <NoOptions>{isSearching ? 'Searching' : 'No match'}</NoOptions>}>
          {visibleOptions.map((option) => (
            <OptionRow key={option.value} option={option} />
          ))}
        </OptionList>
      </FloatingSurface>
    </ComboRoot>
  );
}

type ControlProps = InputProps & { label: string; ref: Ref<HTMLInputElement> | undefined };

export function ComboControl({ label, ref, onKeyDownCapture, ...input }: ControlProps) {
  return (
    <Box onKeyDownCapture={onKeyDownCapture}>
      <Control dir="auto" {...input} ref={ref ?? null} />
      <Opener aria-label={`Show choices for ${label}`} onPointerDown={focusInPlace}>
        <ChevronDown />
      </Opener>
    </Box>
  );
}

/**
 * A list closes when its page scrolls, and focusing a half-visible field scrolls it. A press without pressure comes
 * from a screen reader and is handled by React Aria.
 */
function focusInPlace({ currentTarget, pointerType, pressure }: PointerEvent<HTMLElement>) {
  if (pointerType === 'mouse' && pressure > 0)
    currentTarget.parentElement?.querySelector('input')?.focus({ preventScroll: true });
}

type Choice = Pick<Props, 'value' | 'onChange' | 'options' | 'onSearch'>;

function useSelectedOption({ value, onChange, options, onSearch }: Choice) {
  const [lastChoice, setLastChoice] = useState<Option>();
  const isHidden = lastChoice?.value === value && !options.some((option) => option.value === value);
  const visibleOptions = lastChoice && isHidden ? [lastChoice, ...options] : options;
  const selectedLabel = visibleOptions.find((option) => option.value === value)?.label;
  const choose = (next: string) => {
    setLastChoice(visibleOptions.find((option) => option.value === next));
    onChange(next);
  };
  const search = (text: string) => onSearch?.(text === selectedLabel ? '' : text);
  return { visibleOptions, choose, search };
}

export const ComboRoot = styled(AriaComboBox)`
  ${fieldStack}
`;

const Box = styled.div`
  position: relative;
`;

const Control = styled(Input)`
  ${controlStyles}
  padding-inline: 12px 36px;
  /* The button keeps its side for text of either direction. */
  &:dir(rtl) {
    padding-inline: 36px 12px;
  }
`;

const Opener = styled(Button)`
  ${fieldButtonStyles}
  position: absolute;
  inset: 1px 1px 1px auto;
  width: 34px;
`;
