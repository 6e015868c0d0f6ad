import type { Message } from '@atrium/proto-events/http/chat/messages';
import type { FoundMessage } from '@atrium/proto-events/http/chat/search';
import { SearchX } from 'lucide-react';
import type { KeyboardEvent, Ref } from 'react';
import { styled } from 'styled-components';
import { attachmentsLine } from '#entities/conversation/conversation-labels.ts';
import { toPlainSnippet } from '#entities/message/plain-snippet.ts';
import type { useMessageSearch } from '#entities/message/use-message-search.ts';
import { formatNumber } from '#lib/number-formats.ts';
import { MarkedText } from '#ui/marked-text.tsx';
import { captionStyles } from '#ui/mixins.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { ListedMessage, MessageListing } from '../pins/listed-message.tsx';

type Props = {
  results: ReturnType<typeof useMessageSearch>;
  placeOf: (found: FoundMessage) => string;
  onOpen: (message: Message) => void;
  listRef: Ref<HTMLDivElement>;
};

export function SearchResults({ results, placeOf, onOpen, listRef }: Props) {
  return (
    <AsyncContent query={results} failure="Failed to search messages" skeletons={<SkeletonRows count={5} />}>
      {({ total, more }) =>
        results.found.length === 0 ? (
          <EmptyState
            icon={<SearchX />}
            title="No messages found"
            hint="Check the spelling, use fewer words, or remove a filter."
          />
        ) : (
          <>
            <Count role="status">{countLabel(total, more)}</Count>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys also move the focus, which Tab does */}
            <div ref={listRef} onKeyDown={moveFocus}>
              <MessageListing aria-label="Results">
                {results.found.map((found) => (
                  <ListedMessage
                    key={found.message._id}
                    message={found.message}
                    place={placeOf(found)}
                    onOpen={() => onOpen(found.message)}
                    text={<SnippetText found={found} />}
                    action={null}
                  />
                ))}
              </MessageListing>
            </div>
            {results.more.hasMore && <ShowMore more={results.more} />}
          </>
        )
      }
    </AsyncContent>
  );
}

function countLabel(total: number, more: boolean): string {
  if (more) return `More than ${formatNumber(total - 1)} results`;
  return total === 1 ? '1 result' : `${formatNumber(total)} results`;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('li > button:first-child')];
  const next = rows[rows.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  next.focus();
  event.preventDefault();
}

function SnippetText({ found: { snippet, message } }: { found: FoundMessage }) {
  const files = message.attachments.map(({ name }) => name).join(', ');
  return (
    <>
      {snippet.length > 0 && <MarkedText parts={toPlainSnippet(snippet)} />}
      {snippet.length > 0 && files !== '' && ' · '}
      {files !== '' && <Files>{files || attachmentsLine(message.attachments)}</Files>}
    </>
  );
}

const Count = styled.p`
  ${captionStyles}
  padding: 0 ${theme.space[2]} ${theme.space[2]};
`;

const Files = styled.bdi`
  color: ${theme.color.text2};
`;
