import { type Action, andAdmins, type Told } from './told.ts';

type DocumentFacts = {
  documentId: string;
  uploadedBy: string;
  audience: { everyone: boolean; userIds: string[] };
  version: number;
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
        ...(data.changed && { changed: data.changed }),
      },
    ],
  });
