import { MAX_INVITATIONS_PER_LIST } from '@atrium/proto-events/http/invitations';
import { FileUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { styled } from 'styled-components';
import { useCloseDialog } from '#lib/forms/unsaved-changes.ts';
import type { StoredDraft } from '#lib/forms/use-stored-draft.ts';
import { Button } from '#ui/button.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { useFileDrop } from '#ui/files/use-file-drop.ts';
import { DraftNotice } from '#ui/forms/form-notices.tsx';
import { DialogBody, DialogFooter } from '#ui/overlays/dialog-parts.ts';
import { theme } from '#ui/theme.ts';
import { activeNames, type InviteRow, type KnownDepartment } from './invite-row.ts';
import { parseInviteList } from './parse-invite-list.ts';
import { type FileText, readTextFile, UnreadableFile } from './read-text-file.ts';

type ListSource = 'field' | 'file';

type Props = {
  text: string;
  onText: (text: string) => void;
  onTextIfEmpty: (file: FileText) => void;
  count: number;
  departments: readonly KnownDepartment[];
  draft: StoredDraft;
  /** Whether the field takes focus, because the button that led here is unmounted. */
  isFocused: boolean;
  /** `legacy` are the bytes of a file whose encoding is uncertain. */
  onRead: (rows: InviteRow[], source: ListSource, legacy?: Uint8Array) => void;
  onBack: (() => void) | undefined;
};

export function ListInput(props: Props) {
  const { text, onText, onTextIfEmpty, count, departments, draft, isFocused, onRead, onBack } = props;
  const [error, setError] = useState<string>();
  const close = useCloseDialog();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isFocused) field.current?.focus();
  }, [isFocused]);
  const names = activeNames(departments);
  const read = (list: FileText, source: ListSource) => {
    const rows = parseInviteList(list.text, names);
    const problem = rows.length === 0 ? EMPTY_LIST_ERRORS[source] : countProblem(rows.length + count);
    setError(problem);
    if (problem === undefined) onRead(rows, source, list.legacy);
    else if (source === 'file') onTextIfEmpty(list);
  };
  const readFile = async (file: File | undefined) => {
    if (!file) return;
    try {
      read(await readTextFile(file), 'file');
    } catch (failure) {
      setError(failure instanceof UnreadableFile ? failure.message : 'The file could not be read. Please try again.');
    }
  };
  const drop = useFileDrop({
    onFiles: ([file, ...others]) => (others.length > 0 ? setError('Drop one file at a time') : void readFile(file)),
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
        <Button variant="primary" onPress={() => read({ text }, 'field')}>
          {count > 0 ? 'Add to list' : 'Preview list'}
        </Button>
      </DialogFooter>
    </>
  );
}

const FILE_TYPES = ['.csv', '.tsv', '.txt', 'text/csv', 'text/plain', 'text/tab-separated-values'];
const PLACEHOLDER = 'lena.brandt@example.org\nOmar Haddad <omar@example.org>';

const EMPTY_LIST_ERRORS: Record<ListSource, string> = {
  field: 'Please enter at least one email address',
  file: 'No email addresses were found in this file',
};

function countProblem(total: number): string | undefined {
  if (total <= MAX_INVITATIONS_PER_LIST) return undefined;
  return `This list has ${total} people. Up to ${MAX_INVITATIONS_PER_LIST} can be invited at a time, so please split it.`;
}

const Target = styled.div`
  border-radius: ${theme.radius.md};
  &[data-over='true'] {
    outline: 2px dashed ${theme.color.accent};
    outline-offset: 4px;
  }
`;
