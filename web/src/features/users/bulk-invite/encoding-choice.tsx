import { Select } from '#ui/fields/select.tsx';
import { Notice } from '#ui/notice.tsx';
import { LEGACY_ENCODINGS, type LegacyEncoding } from './legacy-encodings.ts';
import type { BulkInviteState } from './use-bulk-invite.ts';

/** Lets the user correct an uncertain file encoding. */
export function EncodingChoice({ state }: { state: BulkInviteState }) {
  const { draft, encoding, progress } = state;
  return (
    <>
      {draft.isEncodingGuessed && (
        <Notice>
          {encoding === undefined
            ? 'Some letters may be wrong. If names look garbled, remove them, save the file as “CSV UTF-8”, and choose it again.'
            : 'Some letters may be wrong. If names look garbled, choose another encoding.'}
        </Notice>
      )}
      {encoding !== undefined && (
        <Select<LegacyEncoding>
          label="Encoding"
          value={encoding}
          onChange={state.chooseEncoding}
          options={LEGACY_ENCODINGS}
          description="How the letters in the file are stored"
          isDisabled={progress !== undefined}
        />
      )}
    </>
  );
}
