import type { Project } from '@atrium/proto-events/http/projects';
import { isolate } from '@atrium/proto-events/text/isolate';
import { CalendarDays, FileText, type LucideIcon, MessageSquare } from 'lucide-react';
import { Link } from 'react-router-dom';
import { css, styled } from 'styled-components';
import { messageLine } from '#entities/conversation/conversation-labels.ts';
import { UnreadBadge } from '#entities/conversation/unread-badge.tsx';
import { useProjectConversation } from '#entities/conversation/use-project-conversation.ts';
import { useProjectDocuments } from '#entities/document/use-documents.ts';
import { useMeetingList } from '#entities/meeting/use-meetings.ts';
import { formatTime } from '#lib/time/formats.ts';
import { captionStyles, ellipsis, inlineStyles, rowLink } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

export function ProjectLinks({ project }: { project: Project }) {
  const { conversation, meetings, documents } = useRelatedItems(project._id);
  const [next] = meetings ?? [];
  const [latest] = documents?.data ?? [];
  const unread = conversation?.unreadCount ?? 0;
  return (
    <Row aria-label="Related pages">
      <ProjectLink
        to={conversation && `/chat?c=${conversation._id}`}
        icon={MessageSquare}
        name="Conversation"
        detail={
          conversation
            ? (conversation.lastMessage && messageLine(conversation.lastMessage)) || 'No messages yet'
            : 'Project members only'
        }
        unread={unread}
      />
      <ProjectLink
        to={`/meetings?project=${project._id}`}
        icon={CalendarDays}
        name="Meetings"
        detail={
          next
            ? `Next: ${isolate(next.title)}, ${formatDay(next.startTime)}`
            : loadedText(meetings, 'No upcoming meetings you can see')
        }
      />
      <ProjectLink
        to={`/documents?project=${project._id}`}
        icon={FileText}
        name="Documents"
        detail={
          latest
            ? `${documents?.total}, latest ${isolate(latest.name)}`
            : loadedText(documents?.data, 'No documents you can see')
        }
      />
    </Row>
  );
}

function loadedText(data: readonly unknown[] | undefined, text: string): string {
  return data ? text : '';
}

const formatDay = (time: string) => formatTime(time, { weekday: 'short', day: 'numeric', month: 'short' });

type ProjectLinkProps = { to: string | undefined; icon: LucideIcon; name: string; detail: string; unread?: number };

function ProjectLink({ to, icon: Icon, name, detail, unread = 0 }: ProjectLinkProps) {
  const content = (
    <>
      <Icon aria-hidden="true" />
      <TextColumn>
        <strong>{name}</strong>
        <small title={detail}>
          <bdi>{detail || '\u00a0'}</bdi>
        </small>
      </TextColumn>
      <UnreadBadge count={unread} />
    </>
  );
  return <li>{to === undefined ? <PlainCell>{content}</PlainCell> : <PageLink to={to}>{content}</PageLink>}</li>;
}

const Row = styled.ul`
  display: grid;
  grid-template-columns: repeat(3, minmax(0, 1fr));
  border-top: 1px solid ${theme.color.line};
  > li {
    min-width: 0;
  }
  > li + li {
    border-inline-start: 1px solid ${theme.color.line};
  }
`;

const cellStyles = css`
  ${inlineStyles(3)}
  padding: ${theme.space[3]} ${theme.space[5]};
  > svg {
    flex: none;
    width: 18px;
    height: 18px;
    stroke-width: 1.75;
    color: ${theme.color.text2};
  }
  ${theme.media.compact} {
    padding: ${theme.space[3]} ${theme.space[4]};
  }
  ${theme.media.small} {
    position: relative;
    flex-direction: column;
    gap: ${theme.space[1]};
    padding: ${theme.space[3]} ${theme.space[1]};
    text-align: center;
    > :nth-child(3) {
      position: absolute;
      top: 6px;
      inset-inline-start: calc(50% + 6px);
    }
  }
`;

const PageLink = styled(Link)`
  ${rowLink}
  ${cellStyles}
`;

const PlainCell = styled.div`
  ${cellStyles}
`;

const TextColumn = styled.span`
  flex: 1;
  min-width: 0;
  strong {
    display: block;
    font-weight: 500;
  }
  small {
    display: block;
    ${captionStyles}
    ${ellipsis}
    ${theme.media.small} {
      display: none;
    }
  }
`;

function useRelatedItems(projectId: string) {
  const conversation = useProjectConversation(projectId);
  const meetings = useMeetingList({ project: projectId, timeFilter: 'upcoming', limit: 1 });
  const documents = useProjectDocuments(projectId, 1);
  return { conversation, meetings: meetings.data?.data, documents: documents.data };
}
