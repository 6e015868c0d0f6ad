import { CalendarDays, X } from 'lucide-react';
import { type KeyboardEvent, type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { DateInput, DateSegment } from 'react-aria-components/DateField';
import { DatePicker as AriaDatePicker } from 'react-aria-components/DatePicker';
import { Dialog } from 'react-aria-components/Dialog';
import { Group } from 'react-aria-components/Group';
import { flushSync } from 'react-dom';
import { styled } from 'styled-components';
import { useLatinDigits } from '#lib/hooks/use-latin-digits.ts';
import type { Day } from '#lib/time/day.ts';
import { controlStyles, FieldHint, FieldLabel, type FieldProps, fieldStack } from '../fields/field.tsx';
import { FloatingSurface } from '../floating-surface.tsx';
import { fieldButtonStyles } from '../icon-button.tsx';
import { theme } from '../theme.ts';
import { Calendar, toCalendarDate } from './calendar.tsx';

type Props = FieldProps<Day | ''> & {
  firstDay?: Day | undefined;
  ref?: Ref<{ focus: () => void }>;
};

export function DatePicker(props: Props) {
  const { label, value, onChange, onBlur, error, description, firstDay, ref } = props;
  const { isRequired = false, isDisabled = false, isLabelHidden } = props;
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useLatinDigits(box);
  const isUnfinished = () => Boolean(box.current?.querySelector('[data-placeholder]'));
  const { displayedDay, attempt, type, confirm, leave, choose } = useTypedDay({ value, onChange, isUnfinished });
  const date = useMemo(() => toCalendarDate(displayedDay), [displayedDay]);
  const minDate = useMemo(() => toCalendarDate(firstDay ?? ''), [firstDay]);
  const focus = () => box.current?.querySelector<HTMLElement>(FIRST_PART)?.focus();
  useImperativeHandle(ref, () => ({ focus }));
  const clear = () => {
    focus();
    choose('');
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    // If this key closes the form, the form must know the typed day to ask about unsaved changes.
    if (key === 'Enter' || key === 'Escape') flushSync(confirm);
  };
  return (
    <Root
      value={date}
      onChange={(next) => (isOpen ? choose : type)(next?.toString() ?? '')}
      placeholderValue={minDate}
      isOpen={isOpen}
      onOpenChange={setOpen}
      onBlur={() => {
        leave();
        onBlur?.();
      }}
      isRequired={isRequired}
      isDisabled={isDisabled}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
    >
      <FieldLabel label={label} isRequired={isRequired} isHidden={isLabelHidden} />
      <Box ref={box} isDisabled={isDisabled} onKeyDownCapture={onKeyDown}>
        <Parts key={attempt}>{(segment) => <Part segment={segment} />}</Parts>
        {displayedDay && !isRequired && !isDisabled && (
          <Tool slot={null} aria-label={`Clear ${label}`} onPress={clear}>
            <X />
          </Tool>
        )}
        <Tool>
          <CalendarDays />
        </Tool>
      </Box>
      <FieldHint error={error} description={description} />
      <FloatingSurface placement="bottom start">
        <Inside>
          <Calendar minValue={minDate} />
        </Inside>
      </FloatingSurface>
    </Root>
  );
}

const FIRST_PART = '[data-type]:not([data-type="literal"])';

const Root = styled(AriaDatePicker)`
  ${fieldStack}
`;

const Box = styled(Group)`
  ${controlStyles}
  display: flex;
  align-items: stretch;
  padding: 0 2px 0 12px;
  cursor: text;
  &[data-focus-within] {
    outline: 2px solid ${theme.color.accent};
    outline-offset: -1px;
    border-color: ${theme.color.accent};
  }
  &[data-invalid][data-focus-within] {
    outline-color: ${theme.color.danger};
  }
`;

const Parts = styled(DateInput)`
  flex: 1;
  display: flex;
  align-items: center;
  min-width: 0;
  overflow: hidden;
  white-space: nowrap;
`;

const Part = styled(DateSegment)`
  padding: 1px;
  border-radius: 4px;
  font-variant-numeric: tabular-nums;
  outline: none;
  &[data-placeholder] {
    color: ${theme.color.text3};
  }
  &[data-focused] {
    background: ${theme.color.accent};
    color: ${theme.color.onAccent};
  }
`;

const Tool = styled(Button)`
  ${fieldButtonStyles}
  width: 32px;
  border-radius: ${theme.radius.sm};
  &[data-disabled] {
    cursor: not-allowed;
  }
`;

const Inside = styled(Dialog)`
  padding: ${theme.space[2]};
  outline: none;
`;

type UseTypedDayParams = {
  value: Day | '';
  onChange: (day: Day | '') => void;
  /** Whether a part of the day is missing, although React Aria still holds the last complete day. */
  isUnfinished: () => boolean;
};

/** `26` means 2026; a year of three digits is incomplete. */
function completeDay(day: Day | ''): Day | '' | undefined {
  const year = Number(day.slice(0, 4));
  if (!day || year >= 1000) return day;
  return year < 100 ? `${2000 + year}${day.slice(4)}` : undefined;
}

/** Reports a day on blur, because every digit makes a different valid day. Resets an incomplete day. */
function useTypedDay({ value, onChange, isUnfinished }: UseTypedDayParams) {
  const [typed, setTyped] = useState<Day | ''>();
  const [attempt, setAttempt] = useState(0);
  // Blur may follow a change before the next render.
  const latest = useRef(typed);
  const type = (day: Day | '' | undefined) => {
    latest.current = day;
    setTyped(day);
  };
  const report = () => {
    const day = latest.current && completeDay(latest.current);
    type(undefined);
    if (day !== undefined && day !== value) onChange(day);
  };
  return {
    displayedDay: typed ?? value,
    attempt,
    type,
    confirm: () => isUnfinished() || report(),
    leave: () => {
      if (!isUnfinished() || latest.current === '') return report();
      type(undefined);
      setAttempt(attempt + 1);
    },
    choose: (day: Day | '') => {
      type(undefined);
      onChange(day);
    },
  };
}
