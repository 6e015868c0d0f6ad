import { MessagesSquare } from 'lucide-react';
import { useEffect } from 'react';
import { styled } from 'styled-components';
import type { ApiError } from '#lib/api/api-error.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { theme } from '#ui/theme.ts';
import { saveMessageDraft, useDraft } from './sending/drafts.ts';
import { dropOutgoing } from './sending/outgoing-messages.ts';

type UnavailableProps = { conversationId: string; error: ApiError; onBack: () => void };

/** Shown if the conversation in the URL is inaccessible. Its unsent draft can still be copied. */
export function ConversationUnavailable({ conversationId, error, onBack }: UnavailableProps) {
  const currentUserId = useCurrentUser()._id;
  const { text } = useDraft(currentUserId, conversationId);
  const isGone = error.status === 404;
  useEffect(() => {
    if (isGone) dropOutgoing(conversationId);
  }, [isGone, conversationId]);
  const discard = () => {
    saveMessageDraft(currentUserId, conversationId, { text: '' });
    onBack();
  };
  return (
    <Center>
      <EmptyState
        icon={<MessagesSquare />}
        title="This conversation is not available"
        hint={isGone ? 'It was deleted, or you are not a member.' : error.message}
        action={<Button onPress={onBack}>All conversations</Button>}
      />
      {text && (
        <Unsent>
          <TextArea
            label="Unsent message"
            value={text}
            rows={5}
            onChange={(next) => saveMessageDraft(currentUserId, conversationId, { text: next })}
          />
          <Button variant="ghost" onPress={discard}>
            Discard
          </Button>
        </Unsent>
      )}
    </Center>
  );
}

const Center = styled.div`
  display: grid;
  place-content: center;
  flex: 1;
  gap: ${theme.space[4]};
  padding: ${theme.space[4]};
`;

const Unsent = styled.div`
  display: grid;
  gap: ${theme.space[2]};
  justify-items: end;
  > :first-child {
    width: min(480px, 80vw);
  }
`;
