import { styled } from 'styled-components';
import { useFreeTimes } from '#entities/meeting/use-planning.ts';
import { formatTime, formatTimeRange } from '#lib/formats.ts';
import { Button } from '#ui/button.tsx';
import { theme } from '#ui/theme.ts';

type Props = {
  people: string[];
  /** The start of the search, and a meeting to ignore. */
  from: string;
  durationMinutes: number;
  except: string | null;
  onPick: (time: { start: string; end: string }) => void;
};

const dayLabel = (time: string) => formatTime(time, { weekday: 'short', day: 'numeric', month: 'short' });

/** The next times when everyone is free, as buttons; a text if there are none. */
export function NextFreeTimes({ onPick, ...question }: Props) {
  const { data, error } = useFreeTimes(question);
  if (error) return <TextColumn role="status">The next free times could not be loaded. Retrying…</TextColumn>;
  if (!data) return <TextColumn role="status">Looking for times when everyone is free…</TextColumn>;
  if (data.message !== null) return <TextColumn role="status">{data.message}</TextColumn>;
  return (
    <Times aria-label="Next times everyone is free">
      {data.data.map((time) => (
        <li key={time.start}>
          <Button size="sm" onPress={() => onPick(time)}>
            {`${dayLabel(time.start)}, ${formatTimeRange(time.start, time.end)}`}
          </Button>
        </li>
      ))}
    </Times>
  );
}

const TextColumn = styled.p`
  margin: 0;
  font: ${theme.text.sm};
  color: ${theme.color.text2};
`;

const Times = styled.ul`
  display: flex;
  flex-wrap: wrap;
  gap: ${theme.space[2]};
`;
