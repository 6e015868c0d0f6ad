import { Suspense } from 'react';
import { styled } from 'styled-components';
import { namedDocuments } from '../../../entities/document/linked-documents.ts';
import { lazyNamed } from '../../../lib/lazy.ts';
import { theme } from '../../../ui/theme.ts';

const CannotOpen = lazyNamed(() => import('./cannot-open.tsx'), 'CannotOpen');

type Props = { conversation: string; text: string };

/** For each document linked in a draft, shows how many participants cannot open it. */
export function MissingAccess({ conversation, text }: Props) {
  const ids = namedDocuments(text);
  if (ids.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <Notes>
        {ids.map((id) => (
          <CannotOpen key={id} id={id} conversation={conversation} />
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
