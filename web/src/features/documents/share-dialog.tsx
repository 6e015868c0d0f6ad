import type { Document } from '@atrium/proto-events/http/documents';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { styled } from 'styled-components';
import { Avatar } from '../../entities/person/avatar.tsx';
import { PeopleField } from '../../entities/person/people-field.tsx';
import { displayName } from '../../entities/person/person.ts';
import { useCloseDialog, useUnsavedChanges } from '../../lib/forms/unsaved-changes.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Dialog, DialogBody, DialogFooter } from '../../ui/overlays/dialog.tsx';
import { showSuccess } from '../../ui/overlays/toast.ts';
import { useAction } from '../../ui/overlays/use-action.ts';
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
  const [chosen, setChosen] = useState<string[]>([]);
  const body = useRef<HTMLDivElement>(null);
  const { share } = useDocumentActions();
  const close = useCloseDialog();
  useUnsavedChanges(chosen.length > 0);
  // The button that is pressed goes with its row; without a place in the dialog, Esc would no longer close it.
  const holdFocus = () => body.current?.focus();
  const { run: submit, isBusy } = useAction(async () => {
    await share(document._id, chosen);
    showSuccess('Document shared successfully');
    onDone();
  }, 'Failed to share document');
  return (
    <>
      <DialogBody ref={body} tabIndex={-1}>
        <Readers document={document} onTakeBack={holdFocus} />
        <PeopleField
          label="People"
          value={chosen}
          onChange={setChosen}
          without={[document.uploadedBy, ...document.sharedWith].map(({ _id }) => _id)}
        />
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

/** Who has it already; its uploader and administrators may take a share back. */
function Readers({ document, onTakeBack }: { document: Document; onTakeBack: () => void }) {
  const { unshare } = useDocumentActions();
  const { run: takeBack, isBusy } = useAction((id: string) => {
    onTakeBack();
    return unshare(document._id, [id]);
  }, 'Failed to share document');
  if (document.sharedWith.length === 0) return null;
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
                onPress={() => void (isBusy || takeBack(person._id))}
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
