import type { listConversations } from '@atrium/proto-events/http/chat';
import type { listProjectDocuments } from '@atrium/proto-events/http/documents';
import type { listProjectMeetings } from '@atrium/proto-events/http/meetings';
import { useRead } from '../../lib/cache/use-read.ts';

/** Where else a project is, of what this person may see: its conversation, its next meeting and its latest document. */
export function useProjectPlaces(projectId: string) {
  const conversations = useRead<typeof listConversations>('GET /chat/conversations', {
    query: { project: projectId, limit: 1, people: 1 },
  });
  const meetings = useRead<typeof listProjectMeetings>('GET /meetings/project/:id', {
    params: { id: projectId },
    query: { timeFilter: 'upcoming', limit: 1 },
  });
  const documents = useRead<typeof listProjectDocuments>('GET /documents/project/:id', {
    params: { id: projectId },
    query: { limit: 1 },
  });
  return {
    // Pods of before do not know the filter and answer with the latest conversation of any kind.
    conversation: conversations.data?.data.find(
      ({ type, project }) => type === 'project' && project?._id === projectId,
    ),
    meetings: meetings.data?.data,
    documents: documents.data,
  };
}
