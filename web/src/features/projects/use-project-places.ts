import { useProjectConversation } from '#entities/conversation/use-project-conversation.ts';
import { useProjectDocuments } from '#entities/document/use-documents.ts';
import { useMeetingList } from '#entities/meeting/use-meetings.ts';

/** The project's conversation, next meeting, and latest document, as far as the user can see them. */
export function useProjectPlaces(projectId: string) {
  const conversation = useProjectConversation(projectId);
  const meetings = useMeetingList({ project: projectId, timeFilter: 'upcoming', limit: 1 });
  const documents = useProjectDocuments(projectId, 1);
  return { conversation, meetings: meetings.data?.data, documents: documents.data };
}
