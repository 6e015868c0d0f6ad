import { Link as LinkIcon } from 'lucide-react';
import { styled } from 'styled-components';
import { type MessageLinks, useConversationLinks } from '#entities/conversation/use-conversation-files.ts';
import { FileList } from '#entities/document/file-row.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { captionStyles } from '#ui/mixins.ts';
import { AsyncContent } from '#ui/pages/async-content.tsx';
import { EmptyState } from '#ui/pages/empty-state.tsx';
import { ShowMore } from '#ui/pages/show-more.tsx';
import { SkeletonRows } from '#ui/pages/skeleton.tsx';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { ShowMessageButton } from './show-message-button.tsx';

export function ConversationLinks({ conversationId }: { conversationId: string }) {
  const query = useConversationLinks(conversationId);
  const { messages } = query;
  return (
    <>
      <AsyncContent query={query} failure="Failed to load links" skeletons={<SkeletonRows count={4} />}>
        {() =>
          messages.length === 0 ? (
            <EmptyState icon={<LinkIcon />} title="No links yet" hint="Links sent in this conversation appear here." />
          ) : (
            <FileList aria-label="Links of this conversation">
              {messages.map((message) => (
                <li key={message._id}>
                  <Row message={message} />
                </li>
              ))}
            </FileList>
          )
        }
      </AsyncContent>
      {query.more.hasMore && <ShowMore more={query.more} isApart />}
    </>
  );
}

function Row({ message }: { message: MessageLinks }) {
  const { links, sender, createdAt } = message;
  return (
    <Line>
      <LinkIcon aria-hidden="true" />
      <div>
        {links.map((href) => (
          <a key={href} href={href} target="_blank" rel="noopener noreferrer nofollow">
            {href}
          </a>
        ))}
        <p>
          <bdi>{displayName(sender)}</bdi> · <RelativeTime time={createdAt} />
        </p>
      </div>
      <ShowMessageButton of={message} />
    </Line>
  );
}

const Line = styled.div`
  display: flex;
  align-items: start;
  gap: ${theme.space[3]};
  > svg {
    flex: none;
    width: 20px;
    height: 20px;
    margin-top: 2px;
    color: ${theme.color.text2};
  }
  > div {
    flex: 1;
    min-width: 0;
  }
  a {
    display: block;
    overflow-wrap: anywhere;
  }
  p {
    ${captionStyles}
  }
`;
