import { Suspense } from 'react';
import { styled } from 'styled-components';
import { findLinkedDocuments } from '#entities/document/linked-documents.ts';
import { lazyNamed } from '#lib/lazy.ts';
import { theme } from '#ui/theme.ts';

const MissingAccessNotice = lazyNamed(() => import('./missing-access-notice.tsx'), 'MissingAccessNotice');

type Props = { conversationId: string; text: string };

export function MissingAccess({ conversationId, text }: Props) {
  const ids = findLinkedDocuments(text);
  if (ids.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <Notes>
        {ids.map((id) => (
          <MissingAccessNotice key={id} id={id} conversationId={conversationId} />
        ))}
      </Notes>
    </Suspense>
  );
}

const Notes = styled.div`
  display: grid;
  gap: ${theme.space[1]};
  max-width: 640px;
  padding: ${theme.space[1]} 0;
`;
