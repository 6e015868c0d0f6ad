import { Plus, X } from 'lucide-react';
import { type Ref, useRef } from 'react';
import { styled } from 'styled-components';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Caption, Stack, Text } from '#ui/layout/primitives.ts';
import { theme } from '#ui/theme.ts';
import { timeOfDay } from '#ui/times/time-format.ts';
import { TimePicker } from '#ui/times/time-picker.tsx';
import { findInvalidTime, suggestDigestTime } from './notices-schema.ts';

type Props = {
  value: readonly string[];
  onChange: (times: string[]) => void;
  onBlur: () => void;
  error: string | undefined;
  ref: Ref<HTMLInputElement>;
};

export function DigestTimes({ value, onChange, onBlur, error, ref }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const suggestedTime = suggestDigestTime(value);
  const shownInvalid = Math.max(0, findInvalidTime(value));
  const remove = (index: number) => {
    // The pressed button is removed.
    list.current?.querySelector<HTMLElement>(':scope > button')?.focus();
    onChange(value.toSpliced(index, 1));
  };
  return (
    <Stack as="section" $gap={2} aria-labelledby="digest-times">
      <Text as="p" $size="sm" $weight={500} id="digest-times">
        Digest times
      </Text>
      <Caption>One email collects everything set to “In a digest”. You can choose up to four times a day.</Caption>
      <Times ref={list}>
        {value.map((time, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a time can change while its field has focus
          <div key={index}>
            <TimePicker
              label={`Digest time ${index + 1}`}
              isLabelHidden
              value={time}
              onChange={(changed) => onChange(value.with(index, changed))}
              onBlur={onBlur}
              error={index === shownInvalid ? error : undefined}
              {...(index === shownInvalid && { ref })}
            />
            {value.length > 1 && (
              <IconButton label={`Remove ${timeOfDay(time) || 'this time'}`} onPress={() => remove(index)}>
                <X />
              </IconButton>
            )}
          </div>
        ))}
        <Button
          icon={<Plus />}
          isDisabled={suggestedTime === undefined}
          onPress={() => suggestedTime !== undefined && onChange([...value, suggestedTime])}
        >
          Add time
        </Button>
      </Times>
    </Stack>
  );
}

const Times = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: start;
  gap: ${theme.space[2]} ${theme.space[4]};
  > div {
    display: grid;
    grid-template-columns: 128px auto;
    align-items: start;
    gap: ${theme.space[1]};
  }
  ${theme.media.small} {
    flex-direction: column;
    align-items: stretch;
    > div {
      grid-template-columns: minmax(0, 1fr) auto;
    }
  }
`;
