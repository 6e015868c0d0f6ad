import { type ThumbnailRecord, thumbnailColumn } from '@atrium/object-store/thumbnails/thumbnail-records';
import type { Caller } from '@atrium/service-kit/http/authenticate';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';
import { insertVersion } from './version-repository.ts';
import { READABLE, readerOf } from './visibility.ts';

export type DocumentRow = {
  id: string;
  name: string;
  description: string;
  visibility: 'private' | 'team' | 'public';
  tags: string[];
  uploaded_by: string;
  project_id: string | null;
  thumbnail?: ThumbnailRecord | null;
  object_key: string;
  extension: string;
  mimetype: string;
  size: number;
  sha256: string;
  file_number: number;
  downloads: number;
  created_at: Date;
  updated_at: Date;
  version: number;
  shared_with: string[];
  shared_departments: string[];
  shared_projects: string[];
  file_lost: boolean;
  text_state: 'pending' | 'done' | 'none' | 'failed' | null;
};

/** In the order in which they were added. */
const sharedWith = (grantee: 'user_id' | 'department_id' | 'project_id') => `array(
  select g.${grantee} from document_shares g where g.document_id = d.id and g.${grantee} is not null
  order by g.created_at, g.${grantee}
)`;

const COLUMNS = `d.id, d.name, d.description, d.visibility, d.tags, d.uploaded_by, d.project_id, d.object_key, d.extension,
d.mimetype, d.size, d.sha256, d.file_number, d.downloads, d.created_at, d.updated_at, d.version, ${thumbnailColumn('d.object_key')}, ${sharedWith('user_id')} as shared_with,
${sharedWith('department_id')} as shared_departments, ${sharedWith('project_id')} as shared_projects, exists (
  select from objects o where o.object_key = d.object_key and o.missing_since is not null
) as file_lost, (select t.state from object_texts t where t.object_key = d.object_key) as text_state`;

type NewDocument = Omit<
  DocumentRow,
  | 'downloads'
  | 'created_at'
  | 'updated_at'
  | 'version'
  | 'shared_with'
  | 'shared_departments'
  | 'shared_projects'
  | 'file_lost'
  | 'text_state'
  | 'file_number'
>;

export async function insertDocument(tx: Queryable, document: NewDocument): Promise<DocumentRow> {
  const file = [document.object_key, document.extension, document.mimetype, document.size, document.sha256];
  const { rows } = await tx.query<DocumentRow>(
    `insert into documents (object_key, extension, mimetype, size, sha256, id, uploaded_by, name, description, visibility, tags, project_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning *, array[]::text[] as shared_with,
       array[]::text[] as shared_departments, array[]::text[] as shared_projects, false as file_lost, null as text_state`,
    [
      ...file,
      document.id,
      document.uploaded_by,
      document.name,
      document.description,
      document.visibility,
      document.tags,
      document.project_id,
    ],
  );
  const [row] = rows;
  if (!row) throw new Error('Document not found after insert');
  const { object_key: objectKey, extension, mimetype, size, sha256 } = document;
  await insertVersion(tx, {
    documentId: document.id,
    number: 1,
    uploadedBy: document.uploaded_by,
    file: { objectKey, extension, mimetype, size, sha256 },
  });
  return row;
}

export async function findDocument(db: Queryable, id: string): Promise<DocumentRow | undefined> {
  const { rows } = await db.query<DocumentRow>(`select ${COLUMNS} from documents d where d.id = $1`, [id]);
  return rows[0];
}

export async function findReadable(db: Queryable, caller: Caller, id: string): Promise<DocumentRow | undefined> {
  const { rows } = await db.query<DocumentRow>({
    name: 'find-readable',
    text: `select ${COLUMNS} from documents d where d.id = $3 and ${READABLE}`,
    values: [...readerOf(caller), id],
  });
  return rows[0];
}

export async function lockReadable(tx: Queryable, caller: Caller, id: string): Promise<DocumentRow | undefined> {
  // After waiting for the lock, the row is current but its shares are not: they are read again under the lock.
  const { rowCount } = await tx.query('select from documents where id = $1 for update', [id]);
  return rowCount === 0 ? undefined : findReadable(tx, caller, id);
}

type File = 'object_key' | 'extension' | 'mimetype' | 'size' | 'sha256' | 'file_number';
export type DocumentChange = Partial<Pick<DocumentRow, 'name' | 'description' | 'visibility' | 'tags' | File>>;

/** Without a change, only increments the version, because related rows changed. */
export async function changeDocument(tx: Queryable, id: string, change: DocumentChange): Promise<DocumentRow> {
  const columns = Object.keys(change);
  const sets = columns.map((column, index) => `${column} = $${index + 2}`);
  await tx.query(
    `update documents set ${[...sets, 'updated_at = now()', 'version = version + 1'].join(', ')} where id = $1`,
    [id, ...Object.values(change)],
  );
  const row = await findDocument(tx, id);
  if (!row) throw new Error('Document not found after update');
  return row;
}

/** In the order of the ids. */
export async function readRows(db: Queryable, caller: Caller, ids: readonly string[]): Promise<DocumentRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<DocumentRow>({
    name: 'read-documents',
    text: `select ${COLUMNS} from documents d where d.id = any($3) and ${READABLE} order by array_position($3, d.id)`,
    values: [...readerOf(caller), ids],
  });
  return rows;
}
