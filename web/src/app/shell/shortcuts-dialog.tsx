import { styled } from 'styled-components';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { theme } from '#ui/theme.ts';
import { COMMAND_KEY } from './shortcuts.ts';

type Shortcut = { keys: readonly string[]; does: string };

const GROUPS: readonly { name: string; shortcuts: readonly Shortcut[] }[] = [
  {
    name: 'Everywhere',
    shortcuts: [
      { keys: [COMMAND_KEY, 'K'], does: 'Search people, projects, conversations, and pages' },
      { keys: ['?'], does: 'Show these shortcuts' },
      { keys: ['Esc'], does: 'Close dialog' },
      { keys: ['Tab'], does: 'Go to the next field, button, or list' },
      { keys: ['F6'], does: 'Go to the notification, such as to undo' },
    ],
  },
  {
    name: 'Lists and menus',
    shortcuts: [
      { keys: ['↑', '↓'], does: 'Move' },
      { keys: ['Enter'], does: 'Open or select' },
      { keys: ['Space'], does: 'Select or clear' },
    ],
  },
  {
    name: 'Calendar',
    shortcuts: [
      { keys: ['M', 'W', 'D', 'A'], does: 'Show month, week, day, or agenda' },
      { keys: ['T'], does: 'Go to today' },
      { keys: ['J', 'K'], does: 'Next / previous' },
      { keys: ['N'], does: 'Schedule a meeting' },
      { keys: ['↑', '↓', '←', '→'], does: 'Go to another time, day, or meeting' },
      { keys: ['Space'], does: 'Move meeting (arrows), resize (Shift+arrows)' },
      { keys: ['Enter'], does: 'Open, schedule, or drop a meeting' },
      { keys: ['Esc'], does: 'Cancel the move' },
      { keys: [COMMAND_KEY, 'Z'], does: 'Undo the last move' },
    ],
  },
  {
    name: 'Team Chat',
    shortcuts: [
      { keys: ['Enter'], does: 'Send the message' },
      { keys: ['Shift', 'Enter'], does: 'New line' },
    ],
  },
];

type Props = { onClose: () => void };

export function ShortcutsDialog({ onClose }: Props) {
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts">
      {/* Nothing in it is focusable, and it may be taller than the screen. */}
      <DialogBody tabIndex={0} role="group" aria-label="All shortcuts">
        {GROUPS.map(({ name, shortcuts }) => (
          <section key={name}>
            <h3>{name}</h3>
            <List>
              {shortcuts.map(({ keys, does }) => (
                <div key={does}>
                  <dt>{does}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </List>
          </section>
        ))}
      </DialogBody>
    </Dialog>
  );
}

const List = styled.dl`
  > div {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: ${theme.space[4]};
    min-height: 36px;
  }
  > div + div {
    border-top: 1px solid ${theme.color.line};
  }
  dd {
    display: flex;
    gap: ${theme.space[1]};
    margin: 0;
  }
`;
