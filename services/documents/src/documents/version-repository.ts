import { toLimits } from '@atrium/service-kit/http/page';
import type { Queryable } from '@atrium/service-kit/postgres/postgres';

/** `size` in bytes, `sha256` in hex. */
export type FileData = { objectKey: string; extension: string; mimetype: string; size: number; sha256: string };

export type VersionRow = {
  number: number;
  object_key: string;
  extension: string;
  mimetype: string;
  size: number;
  sha256: string;
  uploaded_by: string;
  restored_from: number | null;
  created_at: Date;
  file_lost: boolean;
};

type NewVersion = {
  documentId: string;
  number: number;
  uploadedBy: string;
  file: FileData;
  restoredFrom?: number | undefined;
};

/** Triggers count the reference to the object, and queue it for text extraction and thumbnails. */
export async function insertVersion(tx: Queryable, version: NewVersion): Promise<void> {
  const { documentId, number, uploadedBy, file, restoredFrom } = version;
  await tx.query(
    `insert into document_versions
       (document_id, number, object_key, extension, mimetype, size, sha256, uploaded_by, restored_from)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      documentId,
      number,
      file.objectKey,
      file.extension,
      file.mimetype,
      file.size,
      file.sha256,
      uploadedBy,
      restoredFrom ?? null,
    ],
  );
}

const COLUMNS = `v.*, exists (
  select from objects o where o.object_key = v.object_key and o.missing_since is not null
) as file_lost`;

export async function listVersionRows(db: Queryable, documentId: string, page: { page: number; limit: number }) {
  const { limit, offset } = toLimits(page);
  const [list, count] = await Promise.all([
    db.query<VersionRow>(
      `select ${COLUMNS} from document_versions v where v.document_id = $1 order by v.number desc limit $2 offset $3`,
      [documentId, limit, offset],
    ),
    db.query<{ total: number }>('select count(*) as total from document_versions where document_id = $1', [documentId]),
  ]);
  return { rows: list.rows, total: count.rows[0]?.total ?? 0 };
}

export async function findVersion(db: Queryable, documentId: string, number: number): Promise<VersionRow | undefined> {
  const { rows } = await db.query<VersionRow>(
    `select ${COLUMNS} from document_versions v where v.document_id = $1 and v.number = $2`,
    [documentId, number],
  );
  return rows[0];
}
