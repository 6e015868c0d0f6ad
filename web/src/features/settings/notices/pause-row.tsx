import { BellOff } from 'lucide-react';
import { useRef } from 'react';
import { styled } from 'styled-components';
import { usePause } from '#entities/notification/use-notices.ts';
import { useNow } from '#lib/hooks/use-now.ts';
import { Button } from '#ui/button.tsx';
import { Caption, Text } from '#ui/layout/primitives.ts';
import { Menu, MenuItem } from '#ui/overlays/menu.tsx';
import { useAction } from '#ui/overlays/use-action.ts';
import { theme } from '#ui/theme.ts';
import { pauseEndText, pauseTimes } from './pause-times.ts';

/** Takes effect immediately, unlike the form below it. */
export function PauseRow({ pausedUntil }: { pausedUntil: string | null }) {
  const now = useNow();
  const setPause = usePause();
  const pause = useAction((until: Date) => setPause(until.toISOString()), 'Failed to pause notifications');
  const resume = useAction(() => setPause(null), 'Failed to resume notifications');
  const buttons = useRef<HTMLDivElement>(null);
  const isPaused = pausedUntil !== null && Date.parse(pausedUntil) > now;
  const runResume = async () => {
    // The pressed button is removed.
    buttons.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus();
    await resume.run();
  };
  return (
    <Row>
      <div>
        <Text as="p" $weight={500} role="status">
          {isPaused ? `Paused until ${pauseEndText(pausedUntil, new Date(now))}` : 'Pause notifications'}
        </Text>
        <Caption>
          Devices stay silent, and emails wait until the pause ends. In Atrium, you still see everything.
        </Caption>
      </div>
      <div ref={buttons}>
        {isPaused && (
          <Button isBusy={resume.isBusy} onPress={() => void runResume()}>
            Resume
          </Button>
        )}
        <Menu
          label="Pause notifications"
          trigger={
            <Button icon={<BellOff />} isBusy={pause.isBusy}>
              {isPaused ? 'Change' : 'Pause'}
            </Button>
          }
        >
          {pauseTimes(new Date(now)).map(({ label, until }) => (
            <MenuItem key={label} onAction={() => void pause.run(until)}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      </div>
    </Row>
  );
}

const Row = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[3]} ${theme.space[4]};
  padding: ${theme.space[4]} ${theme.gutter.panel};
  border-bottom: 1px solid ${theme.color.line};
  > div:last-child {
    display: flex;
    flex: none;
    gap: ${theme.space[2]};
  }
  ${theme.media.small} {
    flex-direction: column;
    align-items: stretch;
    > div:last-child > button {
      flex: 1;
    }
  }
`;
