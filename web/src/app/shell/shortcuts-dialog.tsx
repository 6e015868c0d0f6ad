import { styled } from 'styled-components';
import { COMMAND_KEY } from '#lib/command-key.ts';
import { Dialog } from '#ui/overlays/dialog.tsx';
import { DialogBody } from '#ui/overlays/dialog-parts.ts';
import { theme } from '#ui/theme.ts';

type Shortcut = { keys: readonly string[]; action: string };

const GROUPS: readonly { name: string; shortcuts: readonly Shortcut[] }[] = [
  {
    name: 'Everywhere',
    shortcuts: [
      { keys: [COMMAND_KEY, 'K'], action: 'Search everything' },
      { keys: ['?'], action: 'Show these shortcuts' },
      { keys: ['Esc'], action: 'Close dialog' },
      { keys: ['Tab'], action: 'Go to the next field, button, or list' },
      { keys: ['F6'], action: 'Go to the notification, for example to undo' },
    ],
  },
  {
    name: 'Lists and menus',
    shortcuts: [
      { keys: ['↑', '↓'], action: 'Move' },
      { keys: ['Enter'], action: 'Open or select' },
      { keys: ['Space'], action: 'Select or clear' },
    ],
  },
  {
    name: 'My Work',
    shortcuts: [
      { keys: ['N'], action: 'Add a task' },
      { keys: ['J', 'K'], action: 'Next or previous task' },
      { keys: ['Enter'], action: 'Open the task' },
      { keys: ['E'], action: 'Complete the task' },
      { keys: ['T'], action: 'Postpone the task to tomorrow' },
      { keys: ['W'], action: 'Postpone the task to next week' },
      { keys: ['D'], action: 'Choose the due date of the task' },
      { keys: [COMMAND_KEY, 'Z'], action: 'Undo the last change' },
    ],
  },
  {
    name: 'Calendar',
    shortcuts: [
      { keys: ['M', 'W', 'D', 'A'], action: 'Show month, week, day, or agenda' },
      { keys: ['T'], action: 'Go to today' },
      { keys: ['J', 'K'], action: 'Next / previous' },
      { keys: ['N'], action: 'Schedule a meeting' },
      { keys: ['↑', '↓', '←', '→'], action: 'Go to another time, day, or meeting' },
      { keys: ['Space'], action: 'Move meeting (arrows), resize (Shift+arrows)' },
      { keys: ['Enter'], action: 'Open, schedule, or drop a meeting' },
      { keys: ['Esc'], action: 'Cancel the move' },
      { keys: [COMMAND_KEY, 'Z'], action: 'Undo the last move' },
    ],
  },
  {
    name: 'Team Chat',
    shortcuts: [
      { keys: ['Enter'], action: 'Send the message' },
      { keys: ['Shift', 'Enter'], action: 'New line' },
      { keys: ['↑'], action: 'Edit your last message' },
      { keys: [COMMAND_KEY, 'B'], action: 'Bold' },
      { keys: [COMMAND_KEY, 'I'], action: 'Italic' },
      { keys: [COMMAND_KEY, 'Shift', 'X'], action: 'Strikethrough' },
      { keys: [COMMAND_KEY, 'Shift', 'C'], action: 'Code' },
      { keys: [COMMAND_KEY, 'K'], action: 'Make the selected text a link' },
      { keys: ['Alt', '↑', '↓'], action: 'Open the previous or next conversation' },
      { keys: ['R', '+'], action: 'Add a reaction to the focused message' },
      { keys: ['T'], action: 'Open the thread of the focused message' },
    ],
  },
];

type Props = { onClose: () => void };

export function ShortcutsDialog({ onClose }: Props) {
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts">
      {/* The list contains nothing focusable, but it must scroll when it is taller than the screen. */}
      <DialogBody tabIndex={0} role="group" aria-label="All shortcuts">
        {GROUPS.map(({ name, shortcuts }) => (
          <section key={name}>
            <h3>{name}</h3>
            <List>
              {shortcuts.map(({ keys, action }) => (
                <div key={action}>
                  <dt>{action}</dt>
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
