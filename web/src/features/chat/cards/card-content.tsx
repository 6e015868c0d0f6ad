import { Calendar, FolderKanban } from 'lucide-react';
import type { ReactNode } from 'react';
import { messageLine } from '#entities/conversation/conversation-labels.ts';
import { describeSize } from '#entities/document/document-labels.ts';
import { FileIcon } from '#entities/document/file-icon.tsx';
import { useDocument } from '#entities/document/use-documents.ts';
import { timeRange } from '#entities/meeting/meeting-labels.ts';
import { useMeeting } from '#entities/meeting/use-meetings.ts';
import { useMessageAt } from '#entities/message/use-message.ts';
import { displayStatus } from '#entities/project/project-labels.ts';
import { useProject } from '#entities/project/use-projects.ts';
import { StatusIcon } from '#entities/task/task-icons.tsx';
import { columnLabel } from '#entities/task/task-labels.ts';
import { useTask } from '#entities/task/use-tasks.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { clockTime, fullTime, shortDate } from '#ui/times/time-format.ts';
import { CardIcon, LinkCard } from './link-card.tsx';
import type { OwnLink } from './own-links.ts';

type Loaded<Data> = { data?: Data | undefined; error?: unknown; isLoading: boolean };
type Render = <Data>(loaded: Loaded<Data>, toCard: (data: Data) => ReactNode) => ReactNode;

type Shown = { link: OwnLink; render: Render };
type ById = { id: string; path: string; render: Render };

/** Reads what a link leads to. `render` decides what is shown until it is loaded, and if it is not found. */
export function CardContent({ link, render }: Shown) {
  if (link.kind === 'message') return <MessageCard link={link} render={render} />;
  const Card = CARDS[link.kind];
  return <Card id={link.id} path={link.path} render={render} />;
}

function TaskCard({ id, path, render }: ById) {
  return render(useTask(id), ({ title, status, assignedTo }) => (
    <LinkCard
      path={path}
      kind="Task"
      title={title}
      icon={
        <CardIcon>
          <StatusIcon status={status} />
        </CardIcon>
      }
    >
      <span>{columnLabel(status)}</span>
      <span dir="auto">{assignedTo ? displayName(assignedTo) : 'Not assigned'}</span>
    </LinkCard>
  ));
}

function ProjectCard({ id, path, render }: ById) {
  return render(useProject(id), ({ name, status, progress }) => (
    <LinkCard
      path={path}
      kind="Project"
      title={name}
      icon={
        <CardIcon>
          <FolderKanban />
        </CardIcon>
      }
    >
      <span>{displayStatus(status).label}</span>
      <span>{progress}%</span>
    </LinkCard>
  ));
}

function MeetingCard({ id, path, render }: ById) {
  return render(useMeeting(id), (meeting) => (
    <LinkCard
      path={path}
      kind="Meeting"
      title={meeting.title}
      icon={
        <CardIcon>
          <Calendar />
        </CardIcon>
      }
    >
      {meeting.isPast && <span>Ended</span>}
      <span>
        {shortDate(meeting.startTime)}, {timeRange(meeting)}
      </span>
    </LinkCard>
  ));
}

function DocumentCard({ id, path, render }: ById) {
  return render(useDocument(id), ({ name, mimetype, size, uploadedBy }) => (
    <LinkCard path={path} kind="Document" title={name} icon={<FileIcon mimetype={mimetype} />}>
      <span>{describeSize(size)}</span>
      <span dir="auto">{displayName(uploadedBy)}</span>
    </LinkCard>
  ));
}

const CARDS = { task: TaskCard, project: ProjectCard, meeting: MeetingCard, document: DocumentCard };

function MessageCard({ link, render }: Shown & { link: Extract<OwnLink, { kind: 'message' }> }) {
  const { message, isLoading } = useMessageAt(link);
  return render({ data: message?.deleted ? undefined : message, isLoading }, (shown) => (
    <LinkCard
      path={link.path}
      kind={displayName(shown.sender)}
      title={messageLine(shown)}
      icon={<Avatar user={shown.sender} size={40} />}
    >
      <time dateTime={shown.createdAt} title={fullTime(shown.createdAt)}>
        {shortDate(shown.createdAt)}, {clockTime(shown.createdAt)}
      </time>
    </LinkCard>
  ));
}
