import type { Caller } from '@atrium/service-kit/http/authenticate';

type OwnedDocument = { uploaded_by: string };

export const EDIT_DENIED = 'Only the uploader and administrators can edit this document';
export const DELETE_DENIED = 'Only the uploader and administrators can delete this document';
export const UNSHARE_DENIED = 'Only the uploader and administrators can remove shares';
export const EXPLAIN_DENIED =
  'Only the uploader and administrators can see why other people have access to this document';
export const DOWNLOADS_DENIED = 'Only the uploader and administrators can see who downloaded this document';

export const canManage = (caller: Caller, document: OwnedDocument) =>
  caller.role === 'admin' || document.uploaded_by === caller.userId;

/** Everyone who can read a document can share it. */
export function permissions(caller: Caller, document: OwnedDocument) {
  const isManager = canManage(caller, document);
  return {
    abilities: { update: isManager, delete: isManager, share: true },
    denialReasons: isManager ? {} : { update: EDIT_DENIED, delete: DELETE_DENIED },
  };
}
