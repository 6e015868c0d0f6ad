import { maxNotesLength } from '@atrium/proto-events/http/meetings/notes';
import { useLayoutEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { messageOf } from '#lib/api/api-error.ts';
import { Button } from '#ui/button.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { Notice } from '#ui/notice.tsx';
import { theme } from '#ui/theme.ts';
import { caretAfter, type LiveState, type LiveText } from './live-text.ts';

type Props = { live: LiveText; state: LiveState };

export function LiveNotes({ live, state }: Props) {
  const { base, text, conflicts, status } = state;
  const field = useRef<HTMLTextAreaElement>(null);
  const displayed = useRef({ text, caret: 0 });
  // Remote changes shift the text, so the caret moves with it.
  useLayoutEffect(() => {
    const box = field.current;
    const previous = displayed.current;
    displayed.current = { ...previous, text };
    if (!box || previous.text === text || document.activeElement !== box) return;
    const caret = caretAfter(previous.text, text, previous.caret);
    box.setSelectionRange(caret, caret);
  }, [text]);
  const recordCaret = () => {
    displayed.current.caret = field.current?.selectionEnd ?? 0;
  };
  return (
    <Root onKeyUpCapture={recordCaret} onPointerUpCapture={recordCaret}>
      {conflicts.length > 0 && (
        <Notice>
          <p>Someone else changed the same paragraph. Both versions are kept below, theirs first:</p>
          <ul>
            {conflicts.map(({ theirs, yours }) => (
              <li key={`${theirs}\n${yours}`}>
                <q>{theirs}</q> and <q>{yours}</q>
              </li>
            ))}
          </ul>
          <Button size="sm" onPress={live.dismissConflicts}>
            Got it
          </Button>
        </Notice>
      )}
      <TextArea
        ref={field}
        label="Notes"
        value={text}
        onChange={(next) => {
          displayed.current = { text: next, caret: field.current?.selectionEnd ?? next.length };
          live.type(next);
        }}
        rows={6}
        maxLength={maxNotesLength(base)}
        showsCount
        error={status === 'rejected' ? messageOf(state.failure, 'The notes could not be saved') : undefined}
        description={STATUS_TEXTS[status]}
      />
    </Root>
  );
}

const STATUS_TEXTS: Record<LiveState['status'], string> = {
  saved: 'Others can write here at the same time.',
  saving: 'Saving',
  waiting: 'Kept on this device until it is saved.',
  rejected: '',
};

const Root = styled.div`
  display: grid;
  gap: ${theme.space[3]};
  q {
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  ul {
    margin: ${theme.space[1]} 0 ${theme.space[2]};
  }
`;
