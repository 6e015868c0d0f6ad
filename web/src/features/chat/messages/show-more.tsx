import { styled } from 'styled-components';
import type { useConversations } from '../../../entities/conversation/use-conversations.ts';
import { Button } from '../../../ui/button.tsx';
import { theme } from '../../../ui/theme.ts';

type Props = ReturnType<typeof useConversations>['earlier'];

/** Ends the list where there are conversations before those that it holds. */
export function ShowMore({ hasMore, isLoading, error, load }: Props) {
  if (!hasMore) return null;
  return (
    <Foot>
      {error && <p role="alert">{error.message}</p>}
      <Button variant="ghost" size="sm" onPress={load} isBusy={isLoading}>
        {error ? 'Try again' : 'Show more'}
      </Button>
    </Foot>
  );
}

const Foot = styled.div`
  display: grid;
  justify-items: center;
  gap: ${theme.space[1]};
  padding: 0 ${theme.space[4]} ${theme.space[4]};
  p {
    font: ${theme.text.sm};
    color: ${theme.color.danger};
  }
`;
