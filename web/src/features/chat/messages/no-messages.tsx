import { MessagesSquare } from 'lucide-react';
import { styled } from 'styled-components';
import { EmptyState } from '#ui/pages/empty-state.tsx';

export function NoMessages() {
  return (
    <Center>
      <EmptyState icon={<MessagesSquare />} title="No messages yet" hint="Start the conversation!" />
    </Center>
  );
}

const Center = styled.div`
  display: grid;
  place-content: center;
  flex: 1;
`;
