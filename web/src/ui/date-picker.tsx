import { CalendarDays } from 'lucide-react';
import { type Ref, Suspense, useId, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { css, styled } from 'styled-components';
import { lazy } from '../lib/lazy.ts';
import { type Day, dateOfDay, dayInWords, dayOfDate } from './day.ts';
import { controlLook, type FieldProps, fieldStack, labelLook, RequiredMark } from './field.tsx';
import { FloatingSurface } from './popover.tsx';
import { Bone } from './skeleton.tsx';
import { theme } from './theme.ts';

const Calendar = lazy(() => import('./calendar.tsx').then((module) => ({ default: module.Calendar })));

type Props = FieldProps<Day | ''> & {
  placeholder?: string;
  /** Days before it cannot be picked. */
  firstDay?: Day | undefined;
  ref?: Ref<HTMLButtonElement>;
};

/** A button that names the day and opens a month to pick it. */
export function DatePicker(props: Props) {
  const { label, value, onChange, onBlur, error, description, placeholder = 'Pick a day', firstDay, ref } = props;
  const { isRequired, isDisabled = false, isLabelHidden } = props;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const [nameId, valueId, hintId] = [`${id}name`, `${id}value`, `${id}hint`];
  const shown = value ? dayInWords(value) : placeholder;
  const first = dateOfDay(firstDay ?? '');
  const pick = (date: Date | undefined) => {
    onChange(date ? dayOfDate(date) : '');
    setOpen(false);
  };
  const setOpenAndTell = (open: boolean) => {
    setOpen(open);
    if (!open) onBlur?.();
  };
  return (
    <Root>
      <Name id={nameId} $hidden={isLabelHidden} aria-hidden="true">
        {label}
        <RequiredMark isRequired={isRequired} />
      </Name>
      <DialogTrigger isOpen={isOpen} onOpenChange={setOpenAndTell}>
        <Trigger
          ref={ref ?? null}
          aria-labelledby={`${nameId} ${valueId}`}
          {...(error || description ? { 'aria-describedby': hintId } : {})}
          isDisabled={isDisabled}
          onBlur={() => isOpen || onBlur?.()}
          $invalid={Boolean(error)}
          $empty={!value}
        >
          <span id={valueId}>{shown}</span>
          <CalendarDays aria-hidden="true" />
        </Trigger>
        <FloatingSurface placement="bottom start">
          <Inside aria-label={label}>
            <Suspense fallback={<Bone width={252} height={292} />}>
              <Calendar
                mode="single"
                autoFocus
                selected={dateOfDay(value)}
                defaultMonth={dateOfDay(value) ?? first ?? new Date()}
                onSelect={pick}
                {...(first ? { disabled: { before: first } } : {})}
              />
            </Suspense>
          </Inside>
        </FloatingSurface>
      </DialogTrigger>
      {(error || description) && (
        <Hint id={hintId} $isError={Boolean(error)}>
          {error ?? description}
        </Hint>
      )}
    </Root>
  );
}

const Root = styled.div`
  ${fieldStack}
`;

const Name = styled.span<{ $hidden?: boolean | undefined }>`
  ${labelLook}
`;

const Trigger = styled(Button)<{ $invalid: boolean; $empty: boolean }>`
  ${controlLook}
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[2]};
  text-align: left;
  cursor: pointer;
  font-variant-numeric: tabular-nums;
  ${({ $invalid }) => $invalid && `border-color: ${theme.color.danger};`}
  ${({ $empty }) =>
    $empty &&
    css`
      color: ${theme.color.text3};
    `}
  &[data-focused]:not([data-focus-visible]) {
    outline: none;
    border-color: ${theme.color.line};
  }
  span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  svg {
    width: 16px;
    height: 16px;
    color: ${theme.color.text3};
  }
`;

const Inside = styled(Dialog)`
  padding: ${theme.space[2]};
  outline: none;
`;

const Hint = styled.span<{ $isError: boolean }>`
  font: ${theme.text.sm};
  color: ${({ $isError }) => ($isError ? theme.color.danger : theme.color.text2)};
`;
