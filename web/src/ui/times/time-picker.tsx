import { isolate } from '@atrium/proto-events/text/isolate';
import { type KeyboardEvent, type Ref, useState } from 'react';
import { flushSync } from 'react-dom';
import { styled } from 'styled-components';
import { timeExample } from '#lib/time/time-notation.ts';
import { typedTime } from '#lib/time/typed-time.ts';
import { ComboControl, ComboRoot } from '../fields/combo-box.tsx';
import { FieldHint, FieldLabel, type FieldProps, withoutUndefined } from '../fields/field.tsx';
import { OptionList, OptionRow } from '../fields/option.tsx';
import { FloatingSurface } from '../floating-surface.tsx';
import { timeOfDay } from './time-format.ts';

const HALF_HOURS: readonly string[] = Array.from({ length: 48 }, (_, index) => {
  const hour = String(Math.floor(index / 2)).padStart(2, '0');
  return `${hour}:${index % 2 === 0 ? '00' : '30'}`;
});
const HALF_HOURS_UNTIL_MIDNIGHT: readonly string[] = [...HALF_HOURS.slice(1), '24:00'];

const unreadableMessage = () => `Type a time, such as 9, 14:30 or ${isolate(timeExample())}`;

type Props = FieldProps<string> & {
  isDayEnd?: boolean;
  after?: string | undefined;
  ref?: Ref<HTMLInputElement>;
};

/** The form value is `HH:MM`, or empty while invalid. */
export function TimePicker(props: Props) {
  const { label, value, onBlur, error, description, isRequired, isDisabled, isLabelHidden, name, ref } = props;
  const { displayedText, options, isListed, isSettled, isUnreadable, type, choose, settle } = useTypedTime(props);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    // Submitting by Enter needs the parsed time.
    if (key === 'Enter') flushSync(settle);
  };
  return (
    <Root
      {...withoutUndefined({ name, isDisabled })}
      inputValue={displayedText}
      onInputChange={type}
      // While a different time is being typed, nothing is selected, because Enter would choose it.
      value={value === '' || !isSettled ? null : value}
      onChange={(time) => time !== null && choose(String(time))}
      onBlur={() => {
        settle();
        onBlur?.();
      }}
      defaultFilter={isListed}
      isRequired={isRequired ?? false}
      isInvalid={Boolean(error) || isUnreadable}
      validationBehavior="aria"
      allowsCustomValue
    >
      <FieldLabel label={label} isRequired={isRequired} isHidden={isLabelHidden} />
      <ComboControl
        label={label}
        ref={ref}
        onKeyDownCapture={onKeyDown}
        placeholder="Pick a time"
        autoComplete="off"
        onFocus={({ currentTarget }) => isSettled && currentTarget.select()}
      />
      <FieldHint error={isUnreadable ? unreadableMessage() : error} description={description} />
      <FloatingSurface>
        <OptionList>
          {options.map((option) => (
            <OptionRow key={option.value} option={option} />
          ))}
        </OptionList>
      </FloatingSurface>
    </Root>
  );
}

type Typing = Pick<Props, 'value' | 'onChange' | 'isDayEnd' | 'after'>;

function useTypedTime({ value, onChange, isDayEnd = false, after }: Typing) {
  const [typed, setTyped] = useState<string>();
  const [isUnreadable, setUnreadable] = useState(false);
  const [previousValue, setPreviousValue] = useState(value);
  if (previousValue !== value) {
    setPreviousValue(value);
    if (value !== '' || !isUnreadable) {
      setTyped(undefined);
      setUnreadable(false);
    }
  }
  const parse = (text: string) => typedTime(text, { after, isDayEnd });
  const grid = isDayEnd ? HALF_HOURS_UNTIL_MIDNIGHT : HALF_HOURS;
  const parsedTime = typed === undefined ? value : (parse(typed) ?? '');
  const times = parsedTime === '' || grid.includes(parsedTime) ? grid : [...grid, parsedTime].sort();
  const options = times.map((time) => ({ value: time, label: timeOfDay(time) }));
  const choose = (time: string) => {
    setTyped(undefined);
    setUnreadable(false);
    if (time !== value) onChange(time);
  };
  return {
    displayedText: typed ?? timeOfDay(value),
    options,
    isListed: (label: string) =>
      parsedTime === '' || options.some((option) => option.label === label && option.value >= parsedTime),
    isSettled: typed === undefined,
    isUnreadable,
    type: (text: string) => setTyped(text === timeOfDay(value) ? undefined : text),
    choose,
    settle: () => {
      if (typed === undefined) return;
      const time = typed.trim() === '' ? '' : parse(typed);
      if (time !== undefined) return choose(time);
      setUnreadable(true);
      if (value !== '') onChange('');
    },
  };
}

const Root = styled(ComboRoot)`
  input {
    font-variant-numeric: tabular-nums;
  }
`;
