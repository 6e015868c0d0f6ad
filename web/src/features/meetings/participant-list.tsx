import type { Meeting } from '@atrium/proto-events/http/meeting-fields';
import { styled } from 'styled-components';
import { RESPONSES } from '#entities/meeting/meeting-labels.ts';
import { Avatar } from '#entities/user/avatar.tsx';
import { countPeople, displayName } from '#entities/user/person.ts';
import { Inline, Text } from '#ui/layout/primitives.ts';
import { dividedStyles } from '#ui/mixins.ts';
import { Pill } from '#ui/pill.tsx';
import { theme } from '#ui/theme.ts';

/** The participants with their responses. */
export function ParticipantList({ meeting }: { meeting: Meeting }) {
  const { participants, organizer } = meeting;
  const accepted = participants.filter(({ responseStatus }) => responseStatus === 'accepted').length;
  return (
    <section aria-label="Participants">
      <Inline $justify="space-between" $size="sm" $tone="text2" $tabular $below={1}>
        <Text as="h3" $size="sm" $weight={500}>
          {countPeople(participants.length, 'participant')}
        </Text>
        <span>{accepted} accepted</span>
      </Inline>
      <ul>
        {participants.map((person) => {
          const { label, tone } = RESPONSES[person.responseStatus];
          return (
            <Row key={person._id}>
              <Avatar person={person} size={28} />
              <Text $clamp={1} title={person.email} dir="auto">
                {displayName(person)}
              </Text>
              {person._id === organizer._id ? (
                <Text $size="sm" $tone="text2">
                  Organizer
                </Text>
              ) : (
                <Pill tone={tone}>{label}</Pill>
              )}
            </Row>
          );
        })}
      </ul>
    </section>
  );
}

const Row = styled.li`
  display: grid;
  grid-template-columns: 28px minmax(0, 1fr) auto;
  align-items: center;
  gap: ${theme.space[3]};
  min-height: 44px;
  ${dividedStyles}
`;
