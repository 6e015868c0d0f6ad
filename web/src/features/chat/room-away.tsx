import { MessageSquareOff } from 'lucide-react';
import { styled } from 'styled-components';
import type { ApiError } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SpinnerPage } from '../../ui/spinner.tsx';

/** The address names a conversation that is not in the list: it is being asked for, or is not for this person. */
export function RoomAway({ error, onBack }: { error: ApiError | undefined; onBack: () => void }) {
  if (!error) return <SpinnerPage />;
  return (
    <Center>
      <EmptyState
        icon={<MessageSquareOff />}
        title="This conversation is not here"
        hint={error.status === 404 ? 'It was deleted, or you do not take part in it.' : error.message}
        action={<Button onPress={onBack}>All conversations</Button>}
      />
    </Center>
  );
}

const Center = styled.div`
  display: grid;
  place-content: center;
  flex: 1;
`;
