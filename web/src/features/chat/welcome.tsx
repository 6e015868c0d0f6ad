import { Hash, MessageCirclePlus, MessagesSquare } from 'lucide-react';
import { styled } from 'styled-components';
import { Button } from '#ui/button.tsx';
import { Inline } from '#ui/layout/primitives.ts';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { SpinnerPage } from '#ui/spinner.tsx';
import { theme } from '#ui/theme.ts';

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
