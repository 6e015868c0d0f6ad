import type { Caller } from '@atrium/service-kit/http/authenticate';

/** Who may do what with a document that they may read (specification, section 6; decisions, section 6). Pure: no I/O, no state. */

type Owned = { uploaded_by: string };

export const EDIT_REFUSED = 'Only the uploader and administrators can edit this document';
export const DELETE_REFUSED = 'Only the uploader and administrators can delete this document';
export const UNSHARE_REFUSED = 'Only the uploader and administrators can take a share back';
export const EXPLAIN_REFUSED = 'Only the uploader and administrators can see why somebody else can open this document';
export const DOWNLOADS_REFUSED = 'Only the uploader and administrators can see who downloaded this document';

export const mayManage = (caller: Caller, document: Owned) =>
  caller.role === 'admin' || document.uploaded_by === caller.userId;

/** What the screen offers, and why it does not offer the rest: never more than the server would do. Whoever can read can share. */
export function permissions(caller: Caller, document: Owned) {
  const canManage = mayManage(caller, document);
  return {
    abilities: { update: canManage, delete: canManage, share: true },
    refusals: canManage ? {} : { update: EDIT_REFUSED, delete: DELETE_REFUSED },
  };
}
