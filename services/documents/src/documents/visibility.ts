import type { Caller } from '@atrium/service-kit/http/authenticate';

/** Somebody as SQL has them: their id, and what the directory says they are: `admin`, and the id of their department. */
type Reader = { user: string; is: string };

const ADMIN = 'admin';

/** Which shares `g` are to somebody: to them, to the department or to a project that they are in now; each with the table that has it. */
const sharesTo = ({ user, is }: Reader) => [
  { table: 'document_grants', isTo: `g.user_id = ${user}` },
  { table: 'document_group_grants', isTo: `g.department_id = any(${is})` },
  {
    table: 'document_group_grants',
    isTo: `g.project_id in (select p.project_id from project_people p where p.user_id = ${user})`,
  },
];

/** The same as one condition over `document_shares g`. */
export const sharedTo = (reader: Reader) =>
  `(${sharesTo(reader)
    .map(({ isTo }) => isTo)
    .join(' or ')})`;

/** Asked of each table by itself, for each has an index for it; of the view, lists would read all shares that there are. */
const isShared = (reader: Reader) =>
  sharesTo(reader)
    .map(({ table, isTo }) => `exists (select from ${table} g where g.document_id = d.id and ${isTo})`)
    .join('\n  or ');

/** Of which ids documents are that are shared with somebody, found from their end. */
export const idsSharedWith = (reader: Reader) =>
  sharesTo(reader).map(({ table, isTo }) => `array(select g.document_id from ${table} g where ${isTo})`);

/**
 * All that opens a document `d` to somebody, each as a condition over sets. private: its uploader and those it is shared with; team: also the
 * people of its project, or everybody where it has none; public: everybody (decisions, section 6).
 */
export const accessPathsTo = (reader: Reader) => ({
  administrator: `'${ADMIN}' = any(${reader.is})`,
  uploader: `d.uploaded_by = ${reader.user}`,
  public: `d.visibility = 'public'`,
  workspace: `(d.visibility = 'team' and d.project_id is null)`,
  team: `(d.visibility = 'team' and exists (
    select from project_people p where p.project_id = d.project_id and p.user_id = ${reader.user}))`,
  shared: `(${isShared(reader)})`,
});

/** The rule of who reads a document `d`. */
export const readableBy = (reader: Reader) => `(${Object.values(accessPathsTo(reader)).join('\n  or ')})`;

/** The same of whom `readerOf` says, in `$1` and `$2`. */
export const READER: Reader = { user: '$1', is: '$2::text[]' };
export const READABLE = readableBy(READER);

/** The scopes that somebody reads whole (`document_scope`): everybody's, their projects', their own. */
export const SCOPES = `array['all', 'u' || $1] || array(select 'p' || p.project_id from project_people p where p.user_id = $1)`;

/**
 * A condition on what of documents `d` is in none of those scopes, and theirs to read even so: what they uploaded to projects that they are
 * not in, and what is shared with them.
 */
export const BESIDE_SCOPES = (scopes: string) => `d.id in (
    select unnest(${idsSharedWith(READER).join(' || ')})
    union select o.id from all_documents o where o.uploaded_by = $1 and o.visibility = 'team' and o.project_id is not null
      and o.deleted_at is null
  ) and document_scope(d.visibility, d.project_id, d.uploaded_by) <> all (${scopes}::text[])`;

/** The values of `$1` and `$2`. */
export const readerOf = (caller: Caller): [string, string[]] => [caller.userId, groupsOf(caller)];

/** Who reads everything. */
export const isAdmin = ({ role }: Pick<Caller, 'role'>): boolean => role === 'admin';

/** What the directory says that somebody is. */
export const groupsOf = ({ role, departmentId }: Pick<Caller, 'role' | 'departmentId'>): string[] => [
  ...(isAdmin({ role }) ? [ADMIN] : []),
  ...(departmentId ? [departmentId] : []),
];
