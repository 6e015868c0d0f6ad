import type { Caller } from '@atrium/service-kit/http/authenticate';

/**
 * The rule of who reads a document `d`, as a condition over sets; `$1` is the caller, `$2` whether they are an administrator.
 * private: uploader and those it is shared with; team: also the people of its project, or everybody where it has none;
 * public: everybody (decisions, section 6).
 */
export const READABLE = `($2::boolean
  or d.uploaded_by = $1
  or d.visibility = 'public'
  or (d.visibility = 'team' and (d.project_id is null or exists (
       select from project_people p where p.project_id = d.project_id and p.user_id = $1)))
  or exists (select from document_grants g where g.document_id = d.id and g.user_id = $1))`;

/** The values of `$1` and `$2`. */
export const readerOf = (caller: Caller): [string, boolean] => [caller.userId, caller.role === 'admin'];
