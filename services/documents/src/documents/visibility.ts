import type { DirectoryUser } from '@atrium/proto-events/people';
import { assignedDepartmentId } from '@atrium/service-kit/directory/active-users';
import type { Caller } from '@atrium/service-kit/http/authenticate';

/** SQL expressions for a user id, and for an array of groups: `admin` and the department id. */
type Reader = { user: string; groups: string };

const ADMIN = 'admin';

/** Conditions on shares `g`, each with its table: direct, by department, or by current project membership. */
const shareSources = ({ user, groups }: Reader) => [
  { table: 'document_grants', condition: `g.user_id = ${user}` },
  { table: 'document_group_grants', condition: `g.department_id = any(${groups})` },
  {
    table: 'document_group_grants',
    condition: `g.project_id in (select p.project_id from project_people p where p.user_id = ${user})`,
  },
];

export const shareCondition = (reader: Reader) =>
  `(${shareSources(reader)
    .map(({ condition }) => condition)
    .join(' or ')})`;

/** Queries each table separately to use its index; the view would read all shares. */
const existsShareSql = (reader: Reader) =>
  shareSources(reader)
    .map(({ table, condition }) => `exists (select from ${table} g where g.document_id = d.id and ${condition})`)
    .join('\n  or ');

/** Uses the indexes of shares by user and group. */
export const sharedDocumentIdsSql = (reader: Reader) =>
  shareSources(reader).map(({ table, condition }) => `array(select g.document_id from ${table} g where ${condition})`);

/** Selects the shares to a user that others made, from each table by its index. */
export const sharesFromOthersSql = (reader: Reader) =>
  shareSources(reader)
    .map(
      ({ table, condition }) => `select g.document_id, g.granted_by, g.created_at from ${table} g
        where ${condition} and g.granted_by <> ${reader.user}`,
    )
    .join('\n  union all ');

/** private: uploader and grantees; team: also project members, or everyone without a project; public: everyone. */
export const accessConditions = (reader: Reader) => ({
  administrator: `'${ADMIN}' = any(${reader.groups})`,
  uploader: `d.uploaded_by = ${reader.user}`,
  public: `d.visibility = 'public'`,
  workspace: `(d.visibility = 'team' and d.project_id is null)`,
  team: `(d.visibility = 'team' and exists (
    select from project_people p where p.project_id = d.project_id and p.user_id = ${reader.user}))`,
  shared: `(${existsShareSql(reader)})`,
});

export const readableBy = (reader: Reader) => `(${Object.values(accessConditions(reader)).join('\n  or ')})`;

/** Placeholders for the values that `readerOf` returns. */
export const READER: Reader = { user: '$1', groups: '$2::text[]' };
export const READABLE = readableBy(READER);

/** Scopes that a user can read completely (`document_scope`). */
export const SCOPES = `array['all', 'u' || $1] || array(select 'p' || p.project_id from project_people p where p.user_id = $1)`;

/** Matches the user's uploads to projects that they are not a member of, and documents shared with them. */
export const readableOutsideScopes = (scopes: string) => `d.id in (
    select unnest(${sharedDocumentIdsSql(READER).join(' || ')})
    union select o.id from all_documents o where o.uploaded_by = $1 and o.visibility = 'team' and o.project_id is not null
      and o.deleted_at is null
  ) and document_scope(d.visibility, d.project_id, d.uploaded_by) <> all (${scopes}::text[])`;

export const isAdmin = ({ role }: Pick<Caller, 'role'>): boolean => role === 'admin';

/** Values of `$1` and `$2`: a user and their groups. */
export type ReaderValues = [string, string[]];

export const readerOf = ({ userId, role, departmentId }: Omit<Caller, 'sessionId'>): ReaderValues => [
  userId,
  [...(isAdmin({ role }) ? [ADMIN] : []), ...(departmentId ? [departmentId] : [])],
];

export const readerOfUser = (user: DirectoryUser): ReaderValues =>
  readerOf({ userId: user._id, role: user.role, departmentId: assignedDepartmentId(user) });
