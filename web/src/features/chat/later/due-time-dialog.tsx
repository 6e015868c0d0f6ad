import { type FormEvent, useState } from 'react';
import { styled } from 'styled-components';
import { useNow } from '#lib/hooks/use-now.ts';
import { type Day, dateOfDay, dayOfDate } from '#lib/time/day.ts';
import { browserTimeZone, cityOf } from '#lib/time/time-zone.ts';
import { Button } from '#ui/button.tsx';
import { Text } from '#ui/layout/primitives.ts';
import { FormFailure } from '#ui/notice.tsx';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody, DialogFooter, FieldRow } from '#ui/overlays/dialog-parts.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { theme } from '#ui/theme.ts';
import { DatePicker } from '#ui/times/date-picker.tsx';
import { TimePicker } from '#ui/times/time-picker.tsx';
import type { DueTime } from './due-times.ts';

type Props = {
  title: string;
  description?: string;
  suggestions: (now: Date) => DueTime[];
  action: string;
  failure: string;
  /** If it rejects, the dialog stays open and shows the reason. */
  onChoose: (at: Date) => Promise<unknown>;
  onClose: () => void;
};

const DEFAULT_TIME = '09:00';
const MIN_DELAY_MS = 60_000;
const TOO_SOON = 'Choose a time at least a minute from now';

/** Asks for a time in the future: one of the suggestions, or any day and time. */
export function DueTimeDialog({ title, description, suggestions, action, failure, onChoose, onClose }: Props) {
  const now = new Date(useNow());
  const [day, setDay] = useState<Day | ''>(() => dayOfDate(tomorrow()));
  const [time, setTime] = useState(DEFAULT_TIME);
  const [error, setError] = useState<string>();
  const {
    run,
    isBusy,
    failure: failed,
  } = useAction(async (at: Date) => {
    await onChoose(at);
    onClose();
  }, failure);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const at = toDate(day, time);
    if (!at) return;
    if (at.getTime() < Date.now() + MIN_DELAY_MS) return setError(TOO_SOON);
    void run(at);
  };
  return (
    <Dialog
      title={title}
      {...(description !== undefined && { description })}
      width="sm"
      onClose={onClose}
      isDismissable
    >
      <form onSubmit={submit} noValidate>
        <DialogBody>
          <Suggestions aria-label="Suggestions">
            {suggestions(now).map(({ label, at }) => (
              <li key={label}>
                <Button onPress={() => void run(at)} isDisabled={isBusy}>
                  {label}
                </Button>
              </li>
            ))}
          </Suggestions>
          <Text as="h3" $tone="text2">
            Or choose a date and time
          </Text>
          <FieldRow>
            <DatePicker
              label="Date"
              value={day}
              onChange={(next) => {
                setDay(next);
                setError(undefined);
              }}
              firstDay={dayOfDate(now)}
              isRequired
            />
            <TimePicker
              label="Time"
              value={time}
              onChange={(next) => {
                setTime(next);
                setError(undefined);
              }}
              error={error}
              description={`Times in ${cityOf(browserTimeZone())}`}
              isRequired
            />
          </FieldRow>
          <FormFailure failure={failed} />
        </DialogBody>
        <DialogFooter>
          <Button onPress={onClose} isDisabled={isBusy}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" isBusy={isBusy} isDisabled={!toDate(day, time)}>
            {action}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function tomorrow(): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
}

/** Returns the time in the time zone of the browser. */
function toDate(day: Day | '', time: string): Date | undefined {
  const start = dateOfDay(day);
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/.exec(time) ?? [];
  if (!start || hours === undefined) return undefined;
  start.setHours(Number(hours), Number(minutes));
  return start;
}

const Suggestions = styled.ul`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: ${theme.space[2]};
  margin: 0;
  padding: 0;
  list-style: none;
  button {
    width: 100%;
  }
`;
