import type { Document } from '@atrium/proto-events/http/documents';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { styled } from 'styled-components';
import { Avatar } from '../../entities/person/avatar.tsx';
import { PeoplePicker, type Pickable } from '../../entities/person/people-picker.tsx';
import { displayName } from '../../entities/person/person.ts';
import { failureOf, usePeople } from '../../entities/person/use-people.ts';
import { useCloseDialog, useUnsavedChanges } from '../../lib/forms/unsaved-changes.tsx';
import { useDebounced } from '../../lib/use-debounced.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../ui/overlays/dialog.tsx';
import { showFailure } from '../../ui/overlays/show-failure.ts';
import { showSuccess } from '../../ui/overlays/toast.ts';
import { theme } from '../../ui/theme.ts';
import { useDocumentActions } from './use-document-actions.ts';

type Props = { document: Document; isOpen: boolean; onClose: () => void };

export function ShareDialog({ document, isOpen, onClose }: Props) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Share Document" description={document.name}>
      <ShareForm document={document} onDone={onClose} />
    </Dialog>
  );
}

function ShareForm({ document, onDone }: { document: Document; onDone: () => void }) {
  const [chosen, setChosen] = useState<readonly Pickable[]>([]);
  const [isBusy, setBusy] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const { share } = useDocumentActions();
  const close = useCloseDialog();
  useUnsavedChanges(chosen.length > 0);
  // The button that is pressed goes with its row; without a place in the dialog, Esc would no longer close it.
  const holdFocus = () => body.current?.focus();
  const submit = async () => {
    setBusy(true);
    try {
      await share(
        document._id,
        chosen.map((person) => person._id),
      );
      showSuccess('Document shared successfully');
      onDone();
    } catch (error) {
      setBusy(false);
      showFailure(error, 'Failed to share document');
    }
  };
  return (
    <>
      <DialogBody ref={body} tabIndex={-1}>
        <Readers document={document} onTakeBack={holdFocus} />
        <NewReaders document={document} chosen={chosen} onChange={setChosen} />
      </DialogBody>
      <DialogFooter>
        <Button onPress={close}>Cancel</Button>
        <Button variant="primary" onPress={() => void submit()} isBusy={isBusy} isDisabled={chosen.length === 0}>
          Share
        </Button>
      </DialogFooter>
    </>
  );
}

type PickProps = { document: Document; chosen: readonly Pickable[]; onChange: (people: Pickable[]) => void };

/** Those who may not read it by a share yet. Whoever was chosen stays in sight when the search moves on. */
function NewReaders({ document, chosen, onChange }: PickProps) {
  const [words, setWords] = useState('');
  const answer = usePeople(useDebounced(words));
  const readers = new Set([document.uploadedBy._id, ...document.sharedWith.map(({ _id }) => _id)]);
  const found = answer.data?.data.filter(({ _id }) => !readers.has(_id));
  const hidden = chosen.filter(({ _id }) => !found?.some((person) => person._id === _id));
  const people = found && [...hidden, ...found];
  return (
    <PeoplePicker
      label="People"
      people={people}
      value={chosen.map(({ _id }) => _id)}
      onChange={(ids) => onChange((people ?? chosen).filter(({ _id }) => ids.includes(_id)))}
      onSearch={setWords}
      failure={failureOf(answer)}
    />
  );
}

/** Who has it already; its uploader and administrators may take a share back. */
function Readers({ document, onTakeBack }: { document: Document; onTakeBack: () => void }) {
  const { unshare } = useDocumentActions();
  const [leavingId, setLeavingId] = useState<string | null>(null);
  if (document.sharedWith.length === 0) return null;
  const takeBack = async (id: string) => {
    setLeavingId(id);
    try {
      onTakeBack();
      await unshare(document._id, [id]);
    } catch (error) {
      showFailure(error, 'Failed to share document');
    } finally {
      setLeavingId(null);
    }
  };
  return (
    <section aria-label="Shared with">
      <Heading>Shared with</Heading>
      <List>
        {document.sharedWith.map((person) => (
          <li key={person._id}>
            <Avatar person={person} size={28} />
            <span>{displayName(person)}</span>
            {document.abilities.update && (
              <IconButton
                label={`Stop sharing with ${displayName(person)}`}
                onPress={() => void (leavingId ?? takeBack(person._id))}
              >
                <X />
              </IconButton>
            )}
          </li>
        ))}
      </List>
    </section>
  );
}

const Heading = styled.h3`
  margin-bottom: ${theme.space[1]};
  font: 500 ${theme.text.sm};
`;

const List = styled.ul`
  max-height: 160px;
  overflow-y: auto;
  > li {
    display: flex;
    align-items: center;
    gap: ${theme.space[3]};
    min-height: 40px;
  }
  > li > span:nth-child(2) {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
`;
