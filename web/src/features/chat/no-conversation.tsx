import { Hash, MessageCirclePlus, MessagesSquare } from 'lucide-react';
import { useEffect } from 'react';
import { styled } from 'styled-components';
import type { ApiError } from '#lib/api/api-error.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SpinnerPage } from '#ui/spinner.tsx';
import { theme } from '#ui/theme.ts';
import { saveMessageDraft, useDraft } from './sending/drafts.ts';
import { dropOutgoing } from './sending/outgoing-messages.ts';

type WelcomeProps = { isLoading: boolean; onNewChannel: () => void; onNewDirect: () => void };

export function Welcome({ isLoading, onNewChannel, onNewDirect }: WelcomeProps) {
  if (isLoading) return <SpinnerPage />;
  return (
    <Page>
      <EmptyState
        icon={<MessagesSquare />}
        title="Welcome to Team Chat"
        hint="Pick a conversation or start a new one."
        action={
          <Inline $gap={2} $justify="center" $wraps>
            <Button variant="primary" icon={<Hash />} onPress={onNewChannel}>
              Create Channel
            </Button>
            <Button icon={<MessageCirclePlus />} onPress={onNewDirect}>
              New Message
            </Button>
          </Inline>
        }
      />
    </Page>
  );
}

const Page = styled.div`
  display: grid;
  place-content: center;
  flex: 1;
  h3 {
    font: 600 ${theme.text.lg};
  }
`;

type UnavailableProps = { conversationId: string; error: ApiError | undefined; onBack: () => void };

/** Shown while the conversation in the URL is loading or inaccessible. Its unsent draft can still be copied. */
export function ConversationUnavailable({ conversationId, error, onBack }: UnavailableProps) {
  const currentUserId = useCurrentUser()._id;
  const { text } = useDraft(currentUserId, conversationId);
  const isGone = error?.status === 404;
  useEffect(() => {
    if (isGone) dropOutgoing(conversationId);
  }, [isGone, conversationId]);
  if (!error) return <SpinnerPage />;
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
