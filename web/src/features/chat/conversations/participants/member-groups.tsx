import type { MemberGroup } from '@atrium/proto-events/http/chat/channel-settings';
import type { Conversation } from '@atrium/proto-events/http/chat/conversations';
import { isolate } from '@atrium/proto-events/text/isolate';
import { Building2, FolderKanban, X } from 'lucide-react';
import { styled } from 'styled-components';
import { Switch } from '#ui/fields/toggles.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { IconTile } from '#ui/layout/icon-tile.ts';
import { Box, Caption, PartHeading, Text } from '#ui/layout/primitives.ts';
import { dividedStyles, inlineStyles } from '#ui/mixins.ts';
import { FormFailure } from '#ui/notice.tsx';
import { showSuccess } from '#ui/overlays/toast.ts';
import { useAction } from '#ui/overlays/use-action.ts';
import { AddMemberGroup } from './add-member-group.tsx';
import { useMemberGroupActions } from './use-member-group-actions.ts';

/** Departments and projects whose members are in a channel. */
export function MemberGroups({ conversation }: { conversation: Conversation }) {
  const { _id: id, memberGroups, abilities } = conversation;
  const { requireGroup, removeGroup } = useMemberGroupActions(id);
  const required = useAction(async (_groupId: string, group: MemberGroup, isRequired: boolean) => {
    await requireGroup(group, isRequired);
  }, 'Failed to change the channel');
  const removal = useAction(async (_groupId: string, group: MemberGroup) => {
    await removeGroup(group);
    showSuccess(`${isolate(group.name)} removed from the channel`);
  }, 'Failed to remove the department or project');
  if (memberGroups.length === 0 && !abilities.manageGroups) return null;
  return (
    <section aria-labelledby="chat-info-groups">
      <PartHeading id="chat-info-groups">Departments and projects</PartHeading>
      <FormFailure failure={required.failure ?? removal.failure} />
      {memberGroups.length > 0 && (
        <List aria-label="Departments and projects" tabIndex={-1}>
          {memberGroups.map((group) => (
            <GroupRow
              key={group._id}
              group={group}
              onRequire={
                abilities.requireGroups ? (isRequired) => void required.run(group._id, group, isRequired) : undefined
              }
              onRemove={canRemove(conversation, group) ? () => void removal.run(group._id, group) : undefined}
            />
          ))}
        </List>
      )}
      {abilities.manageGroups && <AddMemberGroup conversation={conversation} />}
    </section>
  );
}

const canRemove = ({ abilities }: Conversation, { required }: MemberGroup) =>
  abilities.manageGroups && (!required || abilities.requireGroups);

type RowProps = {
  group: MemberGroup;
  onRequire: ((isRequired: boolean) => void) | undefined;
  onRemove: (() => void) | undefined;
};

function GroupRow({ group, onRequire, onRemove }: RowProps) {
  const { type, name, required } = group;
  const audience = type === 'department' ? 'Everyone in this department' : 'Everyone on this project';
  return (
    <Row>
      <IconTile $size={36} aria-hidden="true">
        {type === 'department' ? <Building2 /> : <FolderKanban />}
      </IconTile>
      <Box $flex="fill">
        <Text as="p" $clamp={2} title={name} dir="auto">
          {name}
        </Text>
        <Caption $breaks>{required && !onRequire ? `${audience} · Required` : audience}</Caption>
      </Box>
      <Controls>
        {onRequire && (
          <Switch isSelected={required} onChange={onRequire} aria-label={`Required for ${name}`}>
            Required
          </Switch>
        )}
        {onRemove && (
          <IconButton
            label={`Remove ${name}`}
            onPress={({ target }) => {
              // The focused button is removed with its row, so focus moves to the list.
              target.closest('ul')?.focus();
              onRemove();
            }}
          >
            <X />
          </IconButton>
        )}
      </Controls>
    </Row>
  );
}

const List = styled.ul`
  outline: none;
`;

const Row = styled.li`
  ${inlineStyles(3)}
  min-height: 52px;
  ${dividedStyles}
`;

const Controls = styled.div`
  ${inlineStyles(2)}
  margin-inline-start: auto;
`;
