import { Bold, Code, Italic, Link, List, ListOrdered, SquareCode, Strikethrough, TextQuote } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, type Ref, useImperativeHandle } from 'react';
import { Toolbar } from 'react-aria-components/Toolbar';
import { styled } from 'styled-components';
import { COMMAND_KEY, isCommandKey } from '#lib/command-key.ts';
import { isComposing } from '#lib/forms/is-composing.ts';
import { keyLetter } from '#lib/single-key-shortcuts.ts';
import { IconButton } from '#ui/icon-button.tsx';
import { Tooltip } from '#ui/overlays/tooltip.tsx';
import { theme } from '#ui/theme.ts';
import { continueLine, isInFence } from '../text/continue-line.ts';
import type { FieldChange } from '../text/field-edits.ts';
import { type Format, format, type Selection } from '../text/formatting.ts';
import type { Field } from '../text/use-field.ts';
import { NARROW } from './composer-layout.ts';
import { convertPaste } from './paste.ts';

/** Each returns whether it has handled the event. */
export type FieldTools = {
  onKeyDown: (event: KeyboardEvent) => boolean;
  onPaste: (event: ClipboardEvent) => boolean;
};

type Button = { kind: Format; label: string; icon: ReactNode; shortcut?: { letter: string; isShifted: boolean } };

const BUTTONS: readonly Button[] = [
  { kind: 'bold', label: 'Bold', icon: <Bold />, shortcut: { letter: 'b', isShifted: false } },
  { kind: 'italic', label: 'Italic', icon: <Italic />, shortcut: { letter: 'i', isShifted: false } },
  {
    kind: 'strikethrough',
    label: 'Strikethrough',
    icon: <Strikethrough />,
    shortcut: { letter: 'x', isShifted: true },
  },
  { kind: 'code', label: 'Code', icon: <Code />, shortcut: { letter: 'c', isShifted: true } },
  { kind: 'link', label: 'Link', icon: <Link />, shortcut: { letter: 'k', isShifted: false } },
  { kind: 'bulleted-list', label: 'Bulleted list', icon: <List /> },
  { kind: 'numbered-list', label: 'Numbered list', icon: <ListOrdered /> },
  { kind: 'quote', label: 'Quote', icon: <TextQuote /> },
  { kind: 'code-block', label: 'Code block', icon: <SquareCode /> },
];

type Props = { field: Field; isOpen: boolean; tools: Ref<FieldTools> };

/** Formats the text of a field: with buttons, with shortcuts, and as lines are continued and content is pasted. */
export function ComposerTools({ field, isOpen, tools }: Props) {
  const selection = (): Selection => {
    const { selectionStart: start = 0, selectionEnd: end = 0 } = field.field.current ?? {};
    return { text: field.draft.text, start, end };
  };
  const apply = (change: FieldChange | null) => {
    if (change) field.apply(change);
    return change !== null;
  };
  useImperativeHandle(tools, () => ({
    onKeyDown(event) {
      const change = findChange(event, selection());
      if (change) event.preventDefault();
      return apply(change);
    },
    onPaste(event) {
      const pasted = {
        text: event.clipboardData.getData('text/plain'),
        html: event.clipboardData.getData('text/html'),
      };
      const change = convertPaste(pasted, selection());
      if (change) event.preventDefault();
      return apply(change);
    },
  }));
  return (
    <Bar aria-label="Formatting" $isOpen={isOpen}>
      {BUTTONS.map(({ kind, label, icon, shortcut }) => (
        <Tooltip key={kind} text={shortcut ? `${label} (${shortcutLabel(shortcut)})` : label}>
          <IconButton label={label} preventFocusOnPress onPress={() => apply(format(kind, selection()))}>
            {icon}
          </IconButton>
        </Tooltip>
      ))}
    </Bar>
  );
}

const shortcutLabel = ({ letter, isShifted }: { letter: string; isShifted: boolean }): string =>
  [COMMAND_KEY, ...(isShifted ? ['Shift'] : []), letter.toUpperCase()].join('+');

function findChange(event: KeyboardEvent, selection: Selection): FieldChange | null {
  if (isComposing(event) || event.altKey) return null;
  if (event.key === 'Enter' && !isCommandKey(event))
    // Lines of code are typed like text.
    return event.shiftKey ? continueLine(selection) : continueCode(selection);
  if (!isCommandKey(event)) return null;
  const letter = keyLetter(event.nativeEvent);
  const button = BUTTONS.find(
    ({ shortcut }) => shortcut && shortcut.letter === letter && shortcut.isShifted === event.shiftKey,
  );
  // Without a selection, Ctrl+K opens the search as everywhere.
  if (!button || (button.kind === 'link' && selection.start === selection.end)) return null;
  return format(button.kind, selection);
}

function continueCode({ text, start, end }: Selection): FieldChange | null {
  if (!isInFence(text.slice(0, start))) return null;
  return { edits: [{ from: start, to: end, text: '\n' }], selection: [start + 1, start + 1] };
}

const Bar = styled(Toolbar)<{ $isOpen: boolean }>`
  grid-area: format;
  display: flex;
  min-width: 0;
  margin-inline-start: ${theme.space[1]};
  padding-inline-start: ${theme.space[1]};
  background: linear-gradient(${theme.color.line}, ${theme.color.line}) no-repeat 0 50% / 1px 20px;
  > button {
    color: ${theme.color.text3};
    &[data-hovered] {
      color: ${theme.color.text};
    }
    svg {
      width: 16px;
      height: 16px;
    }
  }
  ${NARROW} {
    display: ${({ $isOpen }) => ($isOpen ? 'flex' : 'none')};
    margin: 2px 0 0;
    padding: 0;
    background: none;
    > button {
      flex: 1;
      min-width: 0;
      max-width: 44px;
    }
  }
`;
