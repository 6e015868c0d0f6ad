import { useProjectConversation } from '../../entities/conversation/use-project-conversation.ts';
import { useProjectDocuments } from '../../entities/document/use-documents.ts';
import { useMeetingList } from '../../entities/meeting/use-meetings.ts';

/** Where else a project is, of what this person may see: its conversation, its next meeting and its latest document. */
export function useProjectPlaces(projectId: string) {
  const conversation = useProjectConversation(projectId);
  const meetings = useMeetingList({ project: projectId, timeFilter: 'upcoming', limit: 1 });
  const documents = useProjectDocuments(projectId, 1);
  return { conversation, meetings: meetings.data?.data, documents: documents.data };
}
