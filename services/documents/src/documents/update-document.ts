import { isDeepStrictEqual } from 'node:util';
import { visibleName } from '@atrium/object-store/file-names/file-name';
import type { Document, updateDocumentBody } from '@atrium/proto-events/http/documents';
import { assertVersion, invalidField } from '@atrium/service-kit/errors/app-error';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { appendDocumentUpdated, findAudience } from './append-document-events.ts';
import { changeDocument, type DocumentChange, type DocumentRow } from './document-repository.ts';
import { presentDocument } from './present-document.ts';
import { lockManageable } from './require-document.ts';

type Body = z.output<typeof updateDocumentBody>;

export async function updateDocument(
  deps: Deps,
  caller: Caller,
  { id, body }: { id: string; body: Body },
): Promise<Document> {
  return deps.db.transaction(async (tx) => {
    const before = await lockManageable(tx, caller, { id });
    const present = () => presentDocument(deps, caller, before);
    assertVersion(before, { version: body.version, label: 'this document', present });
    const change = toChange(before, body);
    const changed = Object.keys(change);
    if (changed.length === 0) return present();
    const previousAudience = await findAudience(tx, before);
    const row = await changeDocument(tx, id, change);
    await appendDocumentUpdated(tx, { row, changed, actorId: caller.userId, previousAudience });
    return presentDocument(deps, caller, row);
  });
}

function toChange(before: DocumentRow, body: Body): DocumentChange {
  const { description, visibility, tags } = body;
  const name = body.name === undefined ? undefined : visibleName(body.name);
  if (name === '') throw invalidField('name', 'Document name is required');
  const requested = { name, description, visibility, tags };
  const current: Record<string, unknown> = before;
  return Object.fromEntries(
    Object.entries(requested).filter(
      ([column, value]) => value !== undefined && !isDeepStrictEqual(value, current[column]),
    ),
  );
}
