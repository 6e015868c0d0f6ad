import type { Conversation } from '@atrium/proto-events/http/chat';
import { SendHorizontal } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { conversationName } from '../../../entities/conversation/conversation.ts';
import { isComposing } from '../../../lib/forms/is-composing.ts';
import { useCurrentUser } from '../../../lib/session/use-session.ts';
import { Button } from '../../../ui/button.tsx';
import { theme } from '../../../ui/theme.ts';
import { GrowingText } from './growing-text.tsx';
import { TextCount } from './text-count.tsx';
import { useComposer } from './use-composer.ts';

/** Enter sends, Shift+Enter begins a line. */
export function Composer({ conversation }: { conversation: Conversation }) {
  const me = useCurrentUser()._id;
  const { text, write, send, isEmpty, isTooLong } = useComposer(conversation._id);
  const field = useRef<HTMLTextAreaElement>(null);
  const label = `Message ${conversationName(conversation, me)}`;
  useEffect(() => {
    // Where fingers type, the keyboard comes up only when it is asked for.
    if (window.matchMedia('(hover: hover)').matches) field.current?.focus({ preventScroll: true });
  }, []);
  const submit = () => {
    void send();
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    submit();
  };
  return (
    <Box>
      <GrowingText
        ref={field}
        value={text}
        onChange={write}
        onKeyDown={onKeyDown}
        aria-label={label}
        placeholder={label}
        aria-invalid={isTooLong || undefined}
        enterKeyHint="send"
      />
      <Tools>
        <TextCount text={text} />
        <Button
          variant="primary"
          size="sm"
          icon={<SendHorizontal />}
          onPress={submit}
          isDisabled={isEmpty || isTooLong}
          preventFocusOnPress
        >
          Send
        </Button>
      </Tools>
    </Box>
  );
}

const Box = styled.div`
  display: flex;
  align-items: flex-end;
  gap: ${theme.space[2]};
  padding: 7px 7px 7px ${theme.space[4]};
  border: 1px solid ${theme.color.line};
  border-radius: ${theme.radius.lg};
  background: ${theme.color.surface};
  box-shadow: ${theme.shadow.low};
  transition: border-color ${theme.motion.fast};
  &:focus-within {
    border-color: ${theme.color.accent};
    box-shadow: 0 0 0 1px ${theme.color.accent};
  }
`;

const Tools = styled.div`
  display: flex;
  align-items: center;
  gap: ${theme.space[3]};
`;
