import { useState } from 'react';
import type { InviteRow } from './invite-row.ts';
import { ASSUMED_ENCODING, decodeLegacy, type LegacyEncoding } from './legacy-encodings.ts';
import { readInviteList } from './read-invite-list.ts';

/** A non-Unicode file, and its rows in the current encoding. */
type LegacyFile = { bytes: Uint8Array; encoding: LegacyEncoding; rows: readonly InviteRow[] };

type Options = {
  /** The current rows of the list. */
  rows: readonly InviteRow[];
  departments: readonly string[];
  onDecoded: (before: readonly InviteRow[], after: readonly InviteRow[]) => void;
};

/** Decodes the last file again in a selected encoding, until the page is reloaded: the file itself is not stored. */
export function useEncodingChoice({ rows: present, departments, onDecoded }: Options) {
  const [file, setFile] = useState<LegacyFile>();
  const choose = (encoding: LegacyEncoding) => {
    if (!file) return;
    const decoded = readInviteList(decodeLegacy(file.bytes, encoding), departments);
    const rows = decoded.map((row, index) => ({ ...row, id: file.rows[index]?.id ?? row.id }));
    onDecoded(file.rows, rows);
    setFile({ ...file, encoding, rows });
  };
  const isPresent = file?.rows.some(({ id }) => present.some((row) => row.id === id));
  return {
    /** Undefined if no row of such a file is in the list. */
    encoding: isPresent ? file?.encoding : undefined,
    choose,
    start: (bytes: Uint8Array, rows: readonly InviteRow[]) => setFile({ bytes, rows, encoding: ASSUMED_ENCODING }),
  };
}
