import type { Document } from '@atrium/proto-events/http/documents';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useState } from 'react';
import { styled } from 'styled-components';
import { VISIBILITY_LABELS } from '#entities/document/document-labels.ts';
import { ProjectField } from '#entities/project/project-field.tsx';
import { useCurrentUser } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Select } from '#ui/fields/select.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { TextField } from '#ui/fields/text-field.tsx';
import { Stack } from '#ui/layout/primitives.ts';
import { theme } from '#ui/theme.ts';

/** Details set before uploading. `tags` are as typed, separated by commas; `project` is an id or empty. */
export type UploadDetails = { project: string; visibility: Document['visibility']; tags: string; description: string };

export const NO_DETAILS: UploadDetails = { project: '', visibility: 'private', tags: '', description: '' };

type Props = { value: UploadDetails; onChange: (details: UploadDetails) => void };

export function UploadDetailsFields({ value, onChange }: Props) {
  const isAdmin = useCurrentUser().role === 'admin';
  const [isOpen, setOpen] = useState(false);
  const change = (part: Partial<UploadDetails>) => onChange({ ...value, ...part });
  return (
    <Stack $gap={3} role="group" aria-label="Options for your next uploads">
      <Row>
        <ProjectField value={value.project} onChange={(project) => change({ project })} isOwn={!isAdmin} />
        <Button icon={isOpen ? <ChevronUp /> : <ChevronDown />} aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          Visibility, tags and description
        </Button>
      </Row>
      {isOpen && (
        <More $gap={3}>
          <Select
            label="Visibility"
            value={value.visibility}
            onChange={(visibility) => change({ visibility })}
            options={OPTIONS}
          />
          <TextField
            label="Tags"
            value={value.tags}
            onChange={(tags) => change({ tags })}
            description="Separated by commas"
          />
          <TextArea label="Description" value={value.description} onChange={(description) => change({ description })} />
        </More>
      )}
    </Stack>
  );
}

const OPTIONS = (['private', 'team', 'public'] as const).map((value) => ({ value, label: VISIBILITY_LABELS[value] }));

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: flex-start;
  gap: ${theme.space[2]};
  > :first-child {
    flex: 1 1 240px;
    max-width: 420px;
  }
  > button {
    margin-top: 24px;
    ${theme.media.small} {
      margin-top: 0;
    }
  }
`;

const More = styled(Stack)`
  max-width: 420px;
`;
