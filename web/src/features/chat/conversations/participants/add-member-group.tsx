import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { Building2 } from 'lucide-react';
import { useState } from 'react';
import { DEPARTMENT_MEMBERS, DepartmentField } from '#entities/department/department-field.tsx';
import { PROJECT_MEMBERS, ProjectField } from '#entities/project/project-field.tsx';
import { messageOf } from '#lib/api/api-error.ts';
import { Button } from '#ui/button.tsx';
import { Switch } from '#ui/fields/toggles.tsx';
import { Inline, Stack } from '#ui/layout/primitives.ts';
import { FormFailure } from '#ui/notice.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { useMemberGroupActions } from './use-member-group-actions.ts';

type Props = { conversation: Conversation };

const NOTHING = { department: '', project: '', required: false };
const TYPES = ['department', 'project'] as const;

/** Nothing is sent before the selection is confirmed. */
export function AddMemberGroup({ conversation }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [hasClosed, setClosed] = useState(false);
  if (isOpen)
    return (
      <GroupForm
        conversation={conversation}
        onClose={() => {
          setOpen(false);
          setClosed(true);
        }}
      />
    );
  return (
    <Inline $above={2}>
      <Button icon={<Building2 />} onPress={() => setOpen(true)} autoFocus={hasClosed}>
        Add department or project
      </Button>
    </Inline>
  );
}

function GroupForm({ conversation, onClose }: Props & { onClose: () => void }) {
  const { _id: id, memberGroups, abilities } = conversation;
  const [chosen, setChosen] = useState(NOTHING);
  const { addGroup } = useMemberGroupActions(id);
  const { department, project, required } = chosen;
  const { run, isBusy, failure } = useAction(async () => {
    const failures: string[] = [];
    for (const type of TYPES) {
      const _id = chosen[type];
      if (_id === '') continue;
      try {
        await addGroup({ type, _id }, required);
        // Only what has failed is sent again.
        setChosen((before) => ({ ...before, [type]: '' }));
      } catch (error) {
        failures.push(`Failed to add the ${type}: ${messageOf(error, 'try again later')}`);
      }
    }
    if (failures.length > 0) throw new Error(failures.join('. '));
    showSuccess('Members are being added to the channel');
    onClose();
  }, 'Failed to add the department or project');
  return (
    <Stack $gap={3}>
      <DepartmentField
        value={department}
        onChange={(value) => setChosen({ ...chosen, department: value })}
        excludedIds={memberGroups.map(({ _id }) => _id)}
        description={DEPARTMENT_MEMBERS}
      />
      <ProjectField
        value={project}
        onChange={(value) => setChosen({ ...chosen, project: value })}
        description={PROJECT_MEMBERS}
      />
      {abilities.requireGroups && (
        <Switch isSelected={required} onChange={(value) => setChosen({ ...chosen, required: value })}>
          Required: members cannot leave
        </Switch>
      )}
      <FormFailure failure={failure} />
      <Inline $gap={2} $justify="end">
        <Button onPress={onClose} isDisabled={isBusy}>
          Cancel
        </Button>
        <Button variant="primary" onPress={() => void run()} isBusy={isBusy} isDisabled={!department && !project}>
          Add
        </Button>
      </Inline>
    </Stack>
  );
}
