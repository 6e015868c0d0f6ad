import { CalendarDays, X } from 'lucide-react';
import { type Ref, Suspense, useId, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { css, styled } from 'styled-components';
import { lazy } from '../../lib/lazy.ts';
import { controlLook, type FieldProps, fieldStack, labelLook, RequiredMark } from '../fields/field.tsx';
import { FloatingSurface } from '../overlays/popover.tsx';
import { Bone } from '../pages/skeleton.tsx';
import { theme } from '../theme.ts';
import { type Day, dateOfDay, dayInWords, dayOfDate } from './day.ts';

const Calendar = lazy(() => import('./calendar.tsx').then((module) => ({ default: module.Calendar })));

type Props = FieldProps<Day | ''> & {
  placeholder?: string;
  /** Days before it cannot be picked. */
  firstDay?: Day | undefined;
  ref?: Ref<HTMLButtonElement>;
};

/** A button that names the day and opens a month to pick it; a day that may be absent is taken away by a button of its own. */
export function DatePicker(props: Props) {
  const { label, value, onChange, onBlur, error, description, placeholder = 'Pick a day', firstDay, ref } = props;
  const { isRequired = false, isDisabled = false, isLabelHidden } = props;
  const [isOpen, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const [nameId, valueId, hintId] = [`${id}name`, `${id}value`, `${id}hint`];
  const shown = value ? dayInWords(value) : placeholder;
  const first = dateOfDay(firstDay ?? '');
  const pick = (date: Date) => {
    onChange(dayOfDate(date));
    setOpen(false);
  };
  const canClear = Boolean(value) && !isRequired && !isDisabled;
  const clear = () => {
    // The button goes with the day.
    box.current?.querySelector('button')?.focus();
    onChange('');
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
      <Box ref={box}>
        <DialogTrigger isOpen={isOpen} onOpenChange={setOpenAndTell}>
          <Trigger
            ref={ref ?? null}
            aria-labelledby={`${nameId} ${valueId}`}
            {...(error || description ? { 'aria-describedby': hintId } : {})}
            isDisabled={isDisabled}
            onBlur={() => isOpen || onBlur?.()}
            $invalid={Boolean(error)}
            $empty={!value}
            $roomy={canClear}
          >
            <span id={valueId}>{shown}</span>
            <CalendarDays aria-hidden="true" />
          </Trigger>
          <FloatingSurface placement="bottom start">
            <Inside aria-label={label}>
              <Suspense fallback={<Bone width={252} height={292} />}>
                <Calendar
                  mode="single"
                  required
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
        {canClear && (
          <Clear aria-label={`Clear ${label}`} onPress={clear}>
            <X />
          </Clear>
        )}
      </Box>
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

const Box = styled.div`
  position: relative;
`;

const Clear = styled(Button)`
  position: absolute;
  inset: 0 36px 0 auto;
  display: grid;
  place-items: center;
  width: 32px;
  border: 0;
  border-radius: ${theme.radius.sm};
  background: transparent;
  color: ${theme.color.text3};
  cursor: pointer;
  &[data-hovered] {
    color: ${theme.color.text};
  }
  &[data-focus-visible] {
    outline: none;
    box-shadow: ${theme.shadow.focus};
  }
  svg {
    width: 16px;
    height: 16px;
  }
  ${theme.media.small} {
    width: 44px;
  }
`;

const Trigger = styled(Button)<{ $invalid: boolean; $empty: boolean; $roomy: boolean }>`
  ${controlLook}
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[2]};
  text-align: left;
  cursor: pointer;
  ${({ $roomy }) => $roomy && '> svg { margin-left: 44px; }'}
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
