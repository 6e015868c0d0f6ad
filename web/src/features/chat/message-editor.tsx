import type { Message } from '@atrium/proto-events/http/chat-messages';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { Button } from '../../ui/button.tsx';
import { theme } from '../../ui/theme.ts';
import { GrowingText } from './growing-text.tsx';
import { saveEdit } from './message-actions.ts';

const MOST = 10_000;

/** Enter saves, Esc leaves it as it was. */
export function MessageEditor({ message, onDone }: { message: Message; onDone: () => void }) {
  const [text, setText] = useState(message.content);
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);
  const save = async () => {
    const content = text.trim();
    if (!content || isBusy) return;
    if (content === message.content) return onDone();
    setBusy(true);
    const isSaved = await saveEdit(message, content);
    setBusy(false);
    if (isSaved) onDone();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onDone();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    void save();
  };
  return (
    <Box>
      <GrowingText
        ref={field}
        value={text}
        onChange={setText}
        onKeyDown={onKeyDown}
        aria-label="Edit message"
        maxLength={MOST}
      />
      <Tools>
        <Button size="sm" variant="ghost" onPress={onDone}>
          Cancel
        </Button>
        <Button size="sm" variant="primary" onPress={() => void save()} isBusy={isBusy} isDisabled={text.trim() === ''}>
          Save
        </Button>
      </Tools>
    </Box>
  );
}

const Box = styled.div`
  margin: ${theme.space[1]} 0;
  padding: 6px 6px 6px ${theme.space[3]};
  border: 1px solid ${theme.color.accent};
  border-radius: ${theme.radius.md};
  background: ${theme.color.surface};
  textarea {
    width: 100%;
  }
`;

const Tools = styled.div`
  display: flex;
  justify-content: flex-end;
  gap: ${theme.space[2]};
`;
