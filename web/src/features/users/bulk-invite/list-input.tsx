import { MAX_INVITED_AT_ONCE } from '@atrium/proto-events/http/invitations';
import { FileUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { styled } from 'styled-components';
import { useCloseDialog } from '../../../lib/forms/unsaved-changes.tsx';
import type { StoredDraft } from '../../../lib/forms/use-stored-draft.ts';
import { Button } from '../../../ui/button.tsx';
import { DraftNotice } from '../../../ui/draft-notice.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { useFileDrop } from '../../../ui/files/use-file-drop.ts';
import { DialogBody, DialogFooter } from '../../../ui/overlays/dialog-parts.ts';
import { theme } from '../../../ui/theme.ts';
import type { InviteRow } from './invite-row.ts';
import { readInviteList } from './read-invite-list.ts';
import { readTextFile, UnreadableFile } from './read-text-file.ts';
import type { KnownDepartment } from './row-values.ts';

type Props = {
  text: string;
  onText: (text: string) => void;
  /** How many people are in the list already. */
  count: number;
  departments: readonly KnownDepartment[];
  draft: StoredDraft;
  /** Moves the focus here: the button that led here is gone. */
  isFocused: boolean;
  onRead: (rows: InviteRow[]) => void;
  onBack: (() => void) | undefined;
};

/** Where a list is pasted, typed, or chosen as a file. */
export function ListInput({ text, onText, count, departments, draft, isFocused, onRead, onBack }: Props) {
  const [error, setError] = useState<string>();
  const close = useCloseDialog();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isFocused) field.current?.focus();
  }, [isFocused]);
  const names = departments.filter(({ isActive }) => isActive).map(({ name }) => name);
  const read = (list: string) => {
    const rows = readInviteList(list, names);
    const problem = countProblem(rows.length, count);
    setError(problem);
    if (problem === undefined) onRead(rows);
  };
  const readFile = async (file: File | undefined) => {
    if (!file) return;
    try {
      const list = await readTextFile(file);
      onText(list);
      read(list);
    } catch (failure) {
      setError(failure instanceof UnreadableFile ? failure.message : 'The file could not be read. Please try again.');
    }
  };
  const drop = useFileDrop({
    onFiles: ([file]) => void readFile(file),
    onFolders: () => setError('Drop a file instead of a folder'),
  });
  const change = (value: string) => {
    setError(undefined);
    onText(value);
  };
  return (
    <>
      <DialogBody>
        <DraftNotice draft={draft} />
        <Target {...drop.handlers} data-over={drop.isOver}>
          <TextArea
            label="People to invite"
            ref={field}
            value={text}
            onChange={change}
            rows={8}
            placeholder={PLACEHOLDER}
            error={error}
            description="Separate email addresses with commas, semicolons, or lines. From a spreadsheet, paste the cells or choose a CSV file with columns such as email, first name, last name, department, and role."
            isRequired
          />
        </Target>
        <div>
          <FileTrigger acceptedFileTypes={FILE_TYPES} onSelect={(files) => void readFile(files?.[0])}>
            <Button icon={<FileUp />}>Choose a CSV file</Button>
          </FileTrigger>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onPress={onBack ?? close}>{onBack ? 'Back' : 'Cancel'}</Button>
        <Button variant="primary" onPress={() => read(text)}>
          {count > 0 ? 'Add to list' : 'Preview list'}
        </Button>
      </DialogFooter>
    </>
  );
}

const FILE_TYPES = ['.csv', '.tsv', '.txt', 'text/csv', 'text/plain', 'text/tab-separated-values'];
const PLACEHOLDER = 'lena.brandt@example.org\nOmar Haddad <omar@example.org>';

function countProblem(read: number, listed: number): string | undefined {
  if (read === 0) return 'Please enter at least one email address';
  const total = read + listed;
  if (total <= MAX_INVITED_AT_ONCE) return undefined;
  return `This list has ${total} people. Up to ${MAX_INVITED_AT_ONCE} can be invited at a time, so please split it.`;
}

const Target = styled.div`
  border-radius: ${theme.radius.md};
  &[data-over='true'] {
    outline: 2px dashed ${theme.color.accent};
    outline-offset: 4px;
  }
`;
