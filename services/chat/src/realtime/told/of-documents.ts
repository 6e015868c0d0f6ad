import { type Action, andAdmins, scopeOf, type Told } from './told.ts';

type DocumentFacts = {
  documentId: string;
  uploadedBy: string;
  audience: { everyone: boolean; userIds: string[] };
  version: number;
  project?: string | null | undefined;
  changed?: string[];
};

export const document =
  (action: Action) =>
  (data: DocumentFacts): Told => ({
    topics: ['documents'],
    audience: data.audience.everyone ? 'everyone' : andAdmins(data.uploadedBy, ...data.audience.userIds),
    changes: [
      {
        resource: 'document',
        id: data.documentId,
        action,
        version: data.version,
        ...scopeOf(data),
        ...(data.changed && { changed: data.changed }),
      },
    ],
  });
