import { useState } from 'react';
import { useCloseDialog } from '#lib/forms/unsaved-changes.ts';
import { Button } from '#ui/button.tsx';
import { Select } from '#ui/fields/select.tsx';
import { Notice } from '#ui/notice.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { ListInput } from './list-input.tsx';
import { ListReview } from './list-review.tsx';
import { LEGACY_ENCODINGS, type LegacyEncoding } from './read-text-file.ts';
import { SentList } from './sent-list.tsx';
import { type BulkInviteState, useBulkInvite } from './use-bulk-invite.ts';

export function BulkInvite() {
  const state = useBulkInvite();
  const [isAdding, setAdding] = useState(false);
  const close = useCloseDialog();
  const { draft, checked, sent, progress, readyCount } = state;
  const hasText = draft.text.trim() !== '';
  if (isAdding || (checked.length === 0 && sent.length === 0)) {
    return (
      <ListInput
        text={draft.text}
        onText={state.setText}
        onTextIfEmpty={state.setTextIfEmpty}
        count={checked.length}
        departments={state.departments}
        draft={state.stored}
        isFocused={isAdding}
        onRead={(rows, source, legacy) => {
          state.addRows(rows, legacy);
          if (source === 'field') state.setText('');
          setAdding(false);
        }}
        onBack={checked.length + sent.length > 0 ? () => setAdding(false) : undefined}
      />
    );
  }
  if (checked.length === 0) {
    return (
      <>
        <DialogBody>
          {hasText && <TextNotice button="Invite more people" />}
          <p role="status">
            {sent.length === 1 ? '1 person has been invited.' : `${sent.length} people have been invited.`}
          </p>
          <SentList invitations={sent} />
        </DialogBody>
        <DialogFooter>
          <Button onPress={() => setAdding(true)}>Invite more people</Button>
          <Button variant="primary" onPress={close} autoFocus>
            Done
          </Button>
        </DialogFooter>
      </>
    );
  }
  return (
    <>
      <ListReview
        state={state}
        notice={
          <>
            <EncodingChoice state={state} />
            {hasText && <TextNotice button="Add people" />}
          </>
        }
        onAdd={() => setAdding(true)}
      />
      <DialogFooter>
        <Button onPress={close}>{sent.length > 0 ? 'Close' : 'Cancel'}</Button>
        <Button
          variant="primary"
          onPress={() => void state.send()}
          isBusy={progress !== undefined}
          isDisabled={readyCount === 0}
        >
          {progress ? 'Sending...' : sendLabel(readyCount)}
        </Button>
      </DialogFooter>
    </>
  );
}

const TextNotice = ({ button }: { button: string }) => (
  <Notice>The people you entered are not in the list yet. Choose “{button}” to add them.</Notice>
);

function sendLabel(count: number): string {
  if (count === 0) return 'Send invitations';
  return count === 1 ? 'Send 1 invitation' : `Send ${count} invitations`;
}

function EncodingChoice({ state }: { state: BulkInviteState }) {
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
